/** The pictures of `<knarr-search images>`. */

import { dress } from "./element-more-style.js";

/**
 * Puts the picture that a page names as the tag `image=…` into its row, in place of the icon. It says nothing that the title does
 * not: a screen reader passes over it. One that does not come leaves the icon. Texts begin at one line, with a picture or without.
 */
export function showImages(rows, { list, base, address, node }) {
  dress(list);
  const icons = rows.filter((row) => row.matches(".page")).map((row) => [row, row.querySelector(".icon")]);
  const pictured = icons.map(([row, icon]) => [icon, pictureOf(row, address, base)]).filter(([, src]) => src);
  if (pictured.length > 0) icons.forEach(([, icon]) => icon.classList.add("beside"));
  for (const [icon, src] of pictured) {
    const picture = node("img", { className: "image", part: "image", alt: "", decoding: "async", loading: "lazy", src });
    picture.addEventListener("error", () => picture.replaceWith(icon));
    icon.replaceWith(picture);
  }
}

/** The address of a row's picture, which is written as its page writes it. */
function pictureOf(row, address, base) {
  const image = row.knarrHit?.hit.tags?.find((tag) => /^image=/i.test(tag))?.slice("image=".length);
  return image && address(image, row.href || base);
}
