import React, { useEffect, useRef } from "react";
import { useHistory } from "@docusaurus/router";
import { usePluginData } from "@docusaurus/useGlobalData";

/** The theme's own colors, which change with its mode. */
const style = {
  "--knarr-accent": "var(--ifm-color-primary)",
  "--knarr-surface": "var(--ifm-background-surface-color)",
  "--knarr-sunken": "var(--ifm-color-emphasis-100)",
  "--knarr-text": "var(--ifm-font-color-base)",
  "--knarr-muted": "var(--ifm-color-emphasis-700)",
  "--knarr-border": "var(--ifm-color-emphasis-300)",
  "--knarr-radius": "var(--ifm-global-radius)",
};

/** The field in the navigation bar. A result is a navigation of the site's own router, without a load. */
export default function SearchBar() {
  const { bundle, base, attributes } = usePluginData("knarr");
  const history = useHistory();
  const search = useRef(null);
  useEffect(() => {
    const element = search.current;
    // What is to open in another window is no click on a link of the page.
    const follow = (event) => {
      const { localName, origin, pathname, search: query, hash } = event.target;
      if (localName !== "a" || origin !== location.origin) return;
      event.preventDefault();
      history.push(pathname + query + hash);
    };
    element.addEventListener("click", follow);
    return () => element.removeEventListener("click", follow);
  }, [history]);
  return React.createElement("knarr-search", { ref: search, from: bundle, base, style, ...attributes });
}
