/**
 * Runs in the page: a browser's translator. It replaces each text node by elements, as Google
 * Translate does, also when texts are added or changed. The texts stay the same, so that a story can
 * look for them.
 */
export function translate() {
  const untouched = '[translate=no], script, style, title, textarea, noscript, font'
  const replace = (text: Text) => {
    if (!text.data.trim() || !text.parentElement || text.parentElement.closest(untouched)) return
    const outer = document.createElement('font')
    const inner = document.createElement('font')
    inner.textContent = text.data
    outer.append(inner)
    text.replaceWith(outer)
  }
  const replaceAll = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts: Text[] = root instanceof Text ? [root] : []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    for (const text of texts) replace(text)
  }
  const observer = new MutationObserver((records) => {
    for (const { target, addedNodes } of records) {
      if (target instanceof Text) replace(target)
      for (const node of addedNodes) replaceAll(node)
    }
  })
  observer.observe(document, { childList: true, subtree: true, characterData: true })
}

/** Runs in the page: the texts that the translator has replaced and that contain the pattern. */
export function translatedTexts(pattern: string): string[] {
  const texts = [...document.querySelectorAll('font > font')].map((font) => font.textContent ?? '')
  return texts.filter((text) => new RegExp(pattern).test(text))
}
