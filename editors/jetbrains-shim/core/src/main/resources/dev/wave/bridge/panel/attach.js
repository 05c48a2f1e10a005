// Run in the page after each load, maybe late and maybe twice. One message is under way at a time: a failed call is
// made again after a moment, so none is lost and none overtakes another.
(function () {
  'use strict';
  if (window.__wavePost) return; // this page is connected
  var waiting = window.__waveOutbox || [];
  var busy = false;
  function next() {
    if (busy || waiting.length === 0) return;
    busy = true;
    var text = waiting[0];
    function done() { busy = false; waiting.shift(); next(); }
    function failed() { busy = false; setTimeout(next, 50); }
    try {
      __QUERY__;
    } catch (fault) { // the function that the host injects is not there yet
      failed();
    }
  }
  window.__waveOutbox = waiting;
  window.__wavePost = function (text) { waiting.push(text); next(); };
  next();
})();
