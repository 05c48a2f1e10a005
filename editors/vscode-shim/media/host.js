// Runs in a panel's page before the panel: VS Code keeps what `host/state` says, over reloads of the window too, and the
// next load of the page finds it in its facts as `reload` (HostFacts of the panel).
(() => {
  const api = acquireVsCodeApi();
  const facts = document.querySelector('meta[name="wave-host"]');
  const kept = api.getState();
  if (kept !== undefined) facts.content = JSON.stringify({ ...JSON.parse(facts.content), reload: kept });
  globalThis.acquireVsCodeApi = () => ({
    postMessage: (message) => {
      if (message?.method === "host/state") api.setState(message.params?.state);
      else api.postMessage(message);
    },
  });
})();
