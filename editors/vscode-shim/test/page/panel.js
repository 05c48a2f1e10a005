// A panel for the tests: it speaks the host channel and shows nothing. A test drives it as `window.wave`.
const api = acquireVsCodeApi();
const open = new Map();
let last = 0;

window.wave = {
  facts: JSON.parse(document.querySelector('meta[name="wave-host"]').content),
  /** All notifications, of the bridge's and of the host's. */
  told: [],
  request(method, params = {}) {
    last += 1;
    const id = last;
    api.postMessage({ jsonrpc: "2.0", id, method, params });
    return new Promise((resolve, reject) => open.set(id, { resolve, reject }));
  },
  host(method, params = {}) {
    api.postMessage({ jsonrpc: "2.0", method, params });
  },
};
window.addEventListener("message", ({ data }) => {
  if (data.method !== undefined) {
    window.wave.told.push(data);
    return;
  }
  const { resolve, reject } = open.get(data.id);
  open.delete(data.id);
  if (data.error === undefined) resolve(data.result);
  else reject(new Error(JSON.stringify(data.error)));
});
document.getElementById("root").textContent = "ready";
window.wave.host("host/ready");
