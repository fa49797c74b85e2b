import DOMPurify from "dompurify";
import { Marked, type Token, type Tokens } from "marked";
import "./sanitise";

/** A part of an answer: code to copy, or HTML that is safe to show. */
export type AnswerPart =
  | { readonly kind: "code"; readonly text: string; readonly language: string }
  | { readonly kind: "html"; readonly html: string };

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (each) => ESCAPES[each] ?? "");

const SAFE_ADDRESS = /^(?:https?|mailto):/i;

/** A link, or its text alone where its address is not one of the web or of mail. @param text HTML. */
const linkTo = (href: string, text: string): string =>
  SAFE_ADDRESS.test(href) ? `<a href="${escapeHtml(href)}">${text}</a>` : text;

/** HTML stands as text, and a picture is a link: its address would learn who reads the answer, and when. */
const answers = new Marked({
  gfm: true,
  breaks: true,
  async: false,
  renderer: {
    html: ({ text }: Tokens.HTML | Tokens.Tag): string => escapeHtml(text),
    link({ href, tokens }: Tokens.Link): string {
      return linkTo(href, this.parser.parseInline(tokens));
    },
    image: ({ href, text }: Tokens.Image): string => linkTo(href, escapeHtml(text === "" ? href : text)),
    checkbox: ({ checked }: Tokens.Checkbox): string => (checked ? "☑ " : "☐ "),
  },
});

const sanitise = (html: string): string =>
  DOMPurify.sanitize(html, {
    ALLOWED_TAGS: [
      ...["p", "br", "hr", "strong", "em", "del", "code", "pre", "blockquote", "a"],
      ...["ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6"],
      ...["table", "thead", "tbody", "tr", "th", "td"],
    ],
    ALLOWED_ATTR: ["href", "start"],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: SAFE_ADDRESS,
  });

const isCode = (token: Token): token is Tokens.Code => token.type === "code";

/**
 * Renders the Markdown of a model. Nothing in it acts: neither HTML, nor addresses other than of web and mail, nor
 * pictures from elsewhere.
 */
export const toAnswerParts = (source: string): AnswerPart[] => {
  const parts: AnswerPart[] = [];
  let waiting: Token[] = [];
  const flush = (): void => {
    const html = sanitise(answers.parser(waiting));
    if (html.trim() !== "") parts.push({ kind: "html", html });
    waiting = [];
  };
  for (const token of answers.lexer(source)) {
    if (!isCode(token)) {
      waiting.push(token);
      continue;
    }
    flush();
    parts.push({ kind: "code", text: token.text, language: (token.lang ?? "").slice(0, 30) });
  }
  flush();
  return parts;
};
