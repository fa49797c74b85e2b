import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, linter, lintGutter } from "@codemirror/lint";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, lineNumbers, placeholder as placeholderText } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { clsx } from "clsx";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { findJsonMistake } from "../lib/json-text";
import type { ControlProps } from "./field";

export interface JsonFieldProps {
  control: ControlProps;
  label: string;
  value: string;
  onChange: (text: string) => void;
  placeholder?: string | undefined;
  disabled?: boolean;
}

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--accent)" },
  { tag: tags.string, color: "var(--green)" },
  { tag: tags.number, color: "var(--yellow)" },
  { tag: [tags.bool, tags.null], color: "var(--red)" },
  { tag: [tags.separator, tags.squareBracket, tags.brace], color: "var(--ink-2)" },
]);

/** The theme's variables reach into the editor's shadow tree; the page's classes do not. */
const LOOK = EditorView.theme({
  "&": { color: "var(--ink)", fontSize: "var(--text-sm)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--font-mono, ui-monospace, monospace)",
    lineHeight: "1.6",
    maxHeight: "420px",
    minHeight: "160px",
  },
  ".cm-content": { caretColor: "var(--ink)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--ink-3)", border: "none" },
  ".cm-placeholder": { color: "var(--ink-3)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, ::selection":
    {
      backgroundColor: "var(--accent-soft)",
    },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)" },
  ".cm-tooltip": {
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
    border: "1px solid var(--line-strong)",
    borderRadius: "6px",
  },
  ".cm-diagnostic-error": { borderLeftColor: "var(--red)" },
});

/** Marks the position of the first JSON mistake. */
const mistakeMarks = (formatMistake: (line: number, column: number) => string) =>
  linter(
    ({ state }): Diagnostic[] => {
      const text = state.doc.toString();
      const mistake = text.trim() === "" ? undefined : findJsonMistake(text);
      if (!mistake) return [];
      const line = state.doc.line(Math.min(mistake.line, state.doc.lines));
      const from = Math.min(line.from + mistake.column - 1, line.to);
      const message = formatMistake(mistake.line, mistake.column);
      return [
        {
          from: from === line.to ? Math.max(line.from, from - 1) : from,
          to: line.to,
          severity: "error",
          message,
        },
      ];
    },
    { delay: 300 },
  );

const stateOf = (disabled: boolean, control: ControlProps, label: string): Extension => [
  EditorState.readOnly.of(disabled),
  EditorView.editable.of(!disabled),
  EditorView.contentAttributes.of({
    "aria-label": label,
    spellcheck: "false",
    autocapitalize: "none",
    ...(control["aria-invalid"] ? { "aria-invalid": "true" } : {}),
  }),
];

/**
 * CodeMirror in a shadow root, whose styles need no inline styles, which the page's policy rejects. Tab moves the
 * focus, so that keyboard users can leave the editor.
 */
const JsonEditor = ({ value, onChange, disabled = false, control, label, placeholder }: JsonFieldProps) => {
  const { t } = useTranslation();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const attributes = useRef(new Compartment());
  const latest = useRef(onChange);
  const begin = useRef({ value, disabled, control, label, placeholder, t });

  // An effect, because the editor is outside React and keeps its own document.
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const { value: doc, placeholder: text, ...first } = begin.current;
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open", delegatesFocus: true });
    const editor = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc,
        extensions: [
          lineNumbers(),
          history(),
          bracketMatching(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          json(),
          syntaxHighlighting(COLOURS),
          lintGutter(),
          mistakeMarks((line, column) => first.t("json.mistakeAt", { line, column })),
          text ? placeholderText(text) : [],
          EditorView.lineWrapping,
          LOOK,
          attributes.current.of(stateOf(first.disabled, first.control, first.label)),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  // Syncs value, mistake and lock to the editor.
  useEffect(() => {
    latest.current = onChange;
    const editor = view.current;
    if (!editor) return;
    const now = editor.state.doc.toString();
    editor.dispatch({
      ...(now === value ? {} : { changes: { from: 0, to: now.length, insert: value } }),
      effects: attributes.current.reconfigure(stateOf(disabled, control, label)),
    });
  });

  return (
    <div
      ref={host}
      id={control.id}
      data-invalid={control["aria-invalid"]}
      className={clsx("control h-auto overflow-hidden p-0", control["aria-invalid"] && "border-red!")}
    />
  );
};

export default JsonEditor;
