/** The plugins as the generators' configurations take them. */

import astro from "knarr/astro";
import { addSearch, build } from "knarr/build";
import docusaurus from "knarr/docusaurus";
import eleventy from "knarr/eleventy";
import starlight from "knarr/starlight";
import vitepress from "knarr/vitepress";

interface Integration { name: string; hooks: { "astro:build:done"?: (told: { dir: URL; logger: { info(text: string): void } }) => void | Promise<void> } }
interface VitePlugin { name: string; enforce?: "pre" | "post" }

export const integrations: Integration[] = [astro(), astro({ exclude: ["drafts/**"] })];
export const vite: VitePlugin[] = [vitepress(), vitepress({ folder: "find", baseUrl: "/docs/" })];
export const plugins = [docusaurus({}), docusaurus({}, { exclude: "blog/**" }), starlight({ lang: "de" })];
eleventy({ on: () => undefined }, { exclude: [] });
export const { pages, files } = await addSearch({ site: "out", intoPages: false });

// @ts-expect-error: the generator names the site
vitepress({ site: "out" });

export const first = await build({ input: "out", watch: true, onBuild: ({ report, error }) => console.log(error ? error.code : report.files) });
// @ts-expect-error: a vector's dimension has three, four or eight bits
await build({ input: "out", bits: 5 });
