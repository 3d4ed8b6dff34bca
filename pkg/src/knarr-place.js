/**
 * Places the search field on pages whose theme `knarr add` does not know, a script of its own beside the element's: into the
 * page's bar where it fits there, else where it stands, and into the page's corner where nobody would see it.
 */

customElements.whenDefined("knarr-search").then(() => {
  const BARS = "header,nav,[role=banner],[class*=navbar],[class*=topbar],[id*=topbar],[class*=masthead],div[class*=head]:not(main *,header *)";
  const THINGS = "a,button,h1,h2,h3,img,input,label,li,p,select,svg";

  const field = document.querySelector("knarr-search");
  if (!field) return;
  const home = document.createComment("");
  field.replaceWith(home); // A bar is looked at without it.

  const at = (x, y) => document.elementFromPoint(x, y);
  const flows = (node) => node.offsetHeight && !/absolute|fixed/.test(getComputedStyle(node).position);
  // What is as high as the window is a veil that goes: a loading screen, or a question about cookies.
  const isOver = (node) => !node.contains(field) && node.getBoundingClientRect().height < innerHeight;
  const isCovered = ({ height, left, top, width }) => {
    const above = top < innerHeight && at(left + width / 2, top + height / 2);
    return above && isOver(above);
  };

  /** The one box in a row that takes its place. */
  const sole = (row) => {
    const within = [...row.children].filter(flows);
    return within.length === 1 && within[0].offsetWidth * 4 > row.offsetWidth * 3 && /^(div|header|nav|section)$/.test(within[0].localName) && within[0];
  };

  const isBar = (row) => {
    const { height, top, width } = row.getBoundingClientRect();
    return width * 2 >= innerWidth && height && height <= 120 && Math.min(top, top + scrollY) <= 100;
  };

  /** Puts the field to the end of a row; false, and the row is as it was, where it does not fit. */
  const fits = (row) => {
    const { direction, display, flexDirection, justifyContent, paddingTop } = getComputedStyle(row);
    const { height, left, right } = row.getBoundingClientRect();
    const isFlex = /flex/.test(display);
    if (/grid/.test(display) || (isFlex && /column/.test(flexDirection))) return false;
    const others = [...row.children].filter(flows);
    // The last of those that are spread over the row stays beside the field.
    const last = isFlex && others.length > 1 && /space/.test(justifyContent) ? others.at(-1).style : {};
    if (isFlex) row.append(field);
    else row.prepend(field);
    const middle = height > 80 ? 0 : Math.max(0, (height - field.offsetHeight) / 2 - parseFloat(paddingTop));
    const place = isFlex ? { alignSelf: "center" } : { float: direction === "rtl" ? "left" : "right", marginBlockStart: `${middle}px` };
    Object.assign(field.style, { marginInlineStart: ".75rem" }, place);
    last.marginInlineStart = "auto";
    const box = field.getBoundingClientRect();
    if (box.left < 0 || box.right > innerWidth || row.offsetHeight > Math.max(height, 44) + 16 || isCovered(box)) {
      last.marginInlineStart = "";
      field.removeAttribute("style");
      return false;
    }
    if (innerWidth - box.right < 8 || box.left < 8) field.style.marginInlineEnd = ".5rem";
    if (isFlex && Math.min(right - box.right, box.left - left) > 60) field.style.marginInlineStart = "auto";
    return true;
  };

  for (let row of document.querySelectorAll(BARS)) {
    if (row.closest("article,aside,footer")) continue;
    for (let within; (within = sole(row)); ) row = within;
    if (isBar(row) && fits(row)) return;
  }

  home.after(field);
  const box = field.getBoundingClientRect();
  const around = field.parentElement;
  const isUnseen = () => document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2).some(isOver);
  const isLost = around === document.body || field.closest("article,main") || !box.width || box.top > 200 || (box.top < innerHeight && isUnseen());
  // Alone on a line below others, where the corner has room.
  const isAlone = home.previousElementSibling?.getBoundingClientRect().bottom <= box.top + 1 && box.width < around.offsetWidth * 0.6;
  const isFree = () => scrollY < 8 && [16, 30, 44].every((y) => [0, 0.5, 1].every((part) => !at(innerWidth - 16 - part * box.width, y)?.closest(THINGS)));
  if (!isLost && !(isAlone && isFree())) return;
  // At the page's top and not the window's: fixed, it would stand over the ends of the lines that are scrolled under it.
  Object.assign(field.style, { position: "absolute", top: ".5rem", insetInlineEnd: ".5rem", zIndex: 1000 });
  document.body.append(field);
});
