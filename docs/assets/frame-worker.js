// The search, in pages that are opened from files: there browsers start no workers, so the worker's script runs in a
// hidden frame of the page. Pages that a server sends are left as they are.
"use strict";
if (location.protocol === "file:") {
  window.Worker = class {
    onmessage = null;
    #frame = document.createElement("iframe");
    #loaded;

    constructor(script) {
      this.#loaded = new Promise(resolve => (this.#frame.onload = resolve)).then(() => {
        this.#frame.contentWindow.postMessage = answer => {
          const data = structuredClone(answer);
          setTimeout(() => this.onmessage?.({ data }));
        };
      });
      this.#frame.hidden = true;
      this.#frame.srcdoc = `<script src="${script}"></script>`;
      document.body.append(this.#frame);
    }

    postMessage(question) {
      const data = structuredClone(question);
      this.#loaded.then(() => this.#frame.contentWindow?.onmessage({ data }));
    }

    terminate() {
      this.#frame.remove();
    }
  };
}
