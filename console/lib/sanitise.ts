import DOMPurify from "dompurify";
import { marked } from "marked";

// Cuts the opener: the target page must not be able to navigate the console.
DOMPurify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName === "A" && node.hasAttribute("href")) {
    node.setAttribute("rel", "noopener noreferrer");
    node.setAttribute("target", "_blank");
  }
});

/**
 * Renders an administrator's Markdown (which may contain HTML) as HTML without scripts. Inline styles are removed: the
 * content security policy rejects them anyway.
 */
export const toSafeHtml = (source: string): string =>
  DOMPurify.sanitize(marked.parse(source, { async: false, gfm: true }), {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ["style", "form", "input", "button", "textarea", "select"],
    // With the console's own classes a text could cover the page and catch every click.
    FORBID_ATTR: ["style", "class", "id", "name"],
  });
