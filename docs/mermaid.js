// Draws the diagrams of the book. GitHub draws the same blocks itself.
(async () => {
  const blocks = document.querySelectorAll("code.language-mermaid");
  if (blocks.length === 0) return;
  const url = "https://cdn.jsdelivr.net/npm/mermaid@11/dist/mermaid.esm.min.mjs";
  const { default: mermaid } = await import(url);
  for (const block of blocks) {
    const diagram = document.createElement("pre");
    diagram.className = "mermaid";
    diagram.textContent = block.textContent;
    block.parentElement.replaceWith(diagram);
  }
  mermaid.initialize({ startOnLoad: false });
  await mermaid.run();
})();
