// A button that was pressed may be gone with the choice it made: the focus goes to what the page says.
{
  let last = null;
  document.addEventListener("focusin", (event) => { last = event.target; });
  new MutationObserver(() => {
    if (last && !last.isConnected && document.activeElement === document.body) {
      document.querySelector(".say")?.focus();
    }
  }).observe(document, { childList: true, subtree: true });
}
