export default function (config) {
  config.addPassthroughCopy("site.css");
  config.addPassthroughCopy("found.js");
  config.addGlobalData("layout", "page.html");
}
