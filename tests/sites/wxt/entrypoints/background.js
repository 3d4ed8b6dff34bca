import { Knarr } from "knarr/direct";
import { defineBackground } from "wxt/utils/define-background";

export default defineBackground({
  type: "module",
  main() {
    let opening;
    chrome.runtime.onMessage.addListener(({ find: query }, sender, respond) => {
      opening ??= Knarr.open(chrome.runtime.getURL("search/"));
      opening.then((knarr) => knarr.find(query)).then(({ resources }) => respond(resources[0].title), (error) => respond(String(error)));
      return true; // The answer comes later.
    });
  },
});
