/** A page that takes longer has shown the user a failure. */
const WAIT_MS = 10_000;

/** Ends the search for an element of a page that is still opening. */
let stop = (): void => undefined;

/**
 * Scrolls to an element of the page that is opening and gives it the focus, as soon as it is there. A button that opens
 * a window or a menu is pressed, too; any other waits for its user, because a press would act without a question. The
 * search ends when the user opens another page meanwhile, or chooses another command.
 */
export const turnTo = (find: () => HTMLElement | null | undefined): void => {
  const turn = (): boolean => {
    const element = find();
    if (!element) return false;
    element.scrollIntoView({ block: "center" });
    element.focus();
    if (element.hasAttribute("aria-haspopup")) element.click();
    return true;
  };
  stop();
  if (turn()) return;
  const { pathname } = window.location;
  const observer = new MutationObserver(() => {
    if (window.location.pathname !== pathname || turn()) stop();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  const timer = setTimeout(() => stop(), WAIT_MS);
  stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
};

/** The button or link of the page with this name. */
export const buttonNamed = (name: string): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>("main button, main a")].find(
    (each) => (each.getAttribute("aria-label") ?? each.textContent) === name,
  );

/** The place of the page with exactly this text, or the button around it. */
export const placeOf = (text: string): HTMLElement | undefined => {
  const place = [...document.querySelectorAll<HTMLElement>("main *")].find(
    (each) => each.textContent === text,
  );
  return place?.closest<HTMLElement>("button, a") ?? place;
};
