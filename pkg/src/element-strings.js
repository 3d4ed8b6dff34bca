/** What `<knarr-search>` says, by language. A site overrides any string with the `strings` attribute or property. */

/** `{…}` is replaced by the value of that name; counts choose by `Intl.PluralRules`: `one`, `other`. */
const STRINGS = {
  en: {
    label: "Search",
    placeholder: "Search documentation",
    clear: "Clear",
    cancel: "Cancel",
    results: "Search results",
    count: { one: "{count} result", other: "{count} results" },
    count_best: { one: "The best result", other: "The {count} best results" },
    corrected: "Showing results for",
    loading: "Loading",
    slow: "This takes longer than usual.",
    start: "Type a word, a name or a whole question.",
    recent: "Recent searches",
    forget: "Forget recent searches",
    suggestions: "Try",
    weak: "Nothing here seems to be about “{query}”. The nearest:",
    apart: "No page has the words in quotes next to each other. Pages with the words:",
    none: "No results for “{query}”",
    none_hint: "Check the spelling, or use fewer or more general words.",
    signs: "“{query}” has no word to search for",
    signs_hint: "Signs alone are not searched: type what they are called, such as “arrow” or “question mark”.",
    error: "Search is not working",
    error_hint: "Something is wrong with this site, not with what you typed. Please try again later.",
    unreachable: "Search cannot be reached",
    unreachable_hint: "Your connection or this site has a problem. Please try again in a moment.",
    offline: "You are offline",
    offline_hint: "Words that were loaded can still be found. The search goes on by itself when you are online again.",
    answer: "Answer",
    also: "Also in {languages}",
    related: "See also",
    old: "Results for “{query}”, from before",
    details: "Details",
    retry: "Try again",
    navigate: "to move",
    select: "to open",
    close: "to close",
    empty: "to clear",
  },
  de: {
    label: "Suchen",
    placeholder: "Dokumentation durchsuchen",
    clear: "Leeren",
    cancel: "Abbrechen",
    results: "Suchergebnisse",
    count: { one: "{count} Treffer", other: "{count} Treffer" },
    count_best: { one: "Der beste Treffer", other: "Die {count} besten Treffer" },
    corrected: "Treffer für",
    loading: "Wird geladen",
    slow: "Das dauert länger als sonst.",
    start: "Ein Wort, ein Name oder eine ganze Frage.",
    recent: "Letzte Suchen",
    forget: "Letzte Suchen vergessen",
    suggestions: "Zum Beispiel",
    weak: "Nichts scheint hier von „{query}“ zu handeln. Am nächsten kommt:",
    apart: "Auf keiner Seite stehen die Wörter in Anführungszeichen so hintereinander. Seiten mit den Wörtern:",
    none: "Keine Treffer für „{query}“",
    none_hint: "Bitte die Schreibweise prüfen oder weniger oder allgemeinere Wörter verwenden.",
    signs: "In „{query}“ ist kein Wort zum Suchen",
    signs_hint: "Zeichen allein werden nicht gesucht: Wie sie heißen, wird gefunden, etwa „Pfeil“ oder „Fragezeichen“.",
    error: "Die Suche funktioniert nicht",
    error_hint: "Das liegt an dieser Website, nicht an der Eingabe. Bitte später noch einmal versuchen.",
    unreachable: "Die Suche ist nicht erreichbar",
    unreachable_hint: "Die Verbindung oder diese Website ist gestört. Bitte gleich noch einmal versuchen.",
    offline: "Keine Internetverbindung",
    offline_hint: "Was schon geladen ist, wird weiter gefunden. Die Suche geht von selbst weiter, sobald die Verbindung wieder da ist.",
    answer: "Antwort",
    also: "Auch auf {languages}",
    related: "Siehe auch",
    old: "Treffer für „{query}“, von vorher",
    details: "Einzelheiten",
    retry: "Noch einmal versuchen",
    navigate: "bewegen",
    select: "öffnen",
    close: "schließen",
    empty: "leeren",
  },
  zh: {
    label: "搜索",
    placeholder: "搜索文档",
    clear: "清除",
    cancel: "取消",
    results: "搜索结果",
    count: { other: "{count} 条结果" },
    count_best: { other: "最相关的 {count} 条结果" },
    corrected: "显示以下内容的结果：",
    loading: "正在加载",
    slow: "加载时间比平时长。",
    start: "输入一个词、一个名称或一个完整的问题。",
    recent: "最近的搜索",
    forget: "清除最近的搜索",
    suggestions: "试试",
    weak: "这里似乎没有关于“{query}”的内容。最接近的是：",
    apart: "没有页面包含引号中的完整短语。包含这些词的页面：",
    none: "没有找到“{query}”的结果",
    none_hint: "请检查拼写，或使用更少、更通用的词。",
    signs: "“{query}”中没有可搜索的词",
    signs_hint: "无法单独搜索符号：请输入符号的名称，例如“箭头”或“问号”。",
    error: "搜索无法使用",
    error_hint: "问题出在本网站，与您输入的内容无关。请稍后再试。",
    unreachable: "无法连接到搜索",
    unreachable_hint: "网络连接或本网站出现问题，请稍后再试。",
    offline: "您已离线",
    offline_hint: "已加载的内容仍可搜索。恢复连接后，搜索会自动继续。",
    answer: "答案",
    also: "其他语言：{languages}",
    related: "相关页面",
    old: "之前“{query}”的结果",
    details: "详细信息",
    retry: "重试",
    navigate: "移动",
    select: "打开",
    close: "关闭",
    empty: "清空",
  },
};

/** The strings for a language tag, with a site's own on top. English where there is no translation. */
export function stringsFor(language, overrides) {
  const tag = (language || "en").toLowerCase();
  return { ...STRINGS.en, ...STRINGS[tag.split("-")[0]], ...overrides };
}

/** Fills the placeholders of a string. */
export function fill(string, values) {
  return string.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** A counted string in its plural form. */
export function counted(forms, count, language) {
  if (typeof forms === "string") return fill(forms, { count });
  let rule = "other";
  try {
    rule = new Intl.PluralRules(language || "en").select(count);
  } catch {
    // A malformed language tag of the page is no reason to fail a search.
  }
  return fill(forms[rule] ?? forms.other, { count });
}
