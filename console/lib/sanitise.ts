import DOMPurify from "dompurify";
import { marked } from "marked";

// A link that leaves the console must not be able to steer it.
DOMPurify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName === "A" && node.hasAttribute("href")) {
    node.setAttribute("rel", "noopener noreferrer");
    node.setAttribute("target", "_blank");
  }
});

/**
 * Turns an administrator's Markdown (which may contain HTML) into HTML that runs nothing. Inline styles are left
 * out: the content security policy refuses them anyway.
 */
export const toSafeHtml = (source: string): string =>
  DOMPurify.sanitize(marked.parse(source, { async: false, gfm: true }), {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ["style", "form", "input", "button", "textarea", "select"],
    // With classes of the console's own a text could lie over everything, and take every click.
    FORBID_ATTR: ["style", "class", "id", "name"],
  });
