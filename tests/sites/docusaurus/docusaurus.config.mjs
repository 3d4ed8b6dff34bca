// The client module is the one line.
export default {
  title: "Site",
  url: "https://example.org",
  baseUrl: "/",
  presets: [["classic", { docs: {}, blog: false, theme: { customCss: "../site.css" } }]],
  clientModules: ["./client.js"],
};
