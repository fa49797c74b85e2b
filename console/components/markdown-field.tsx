import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Field } from "./field";
import { RichText } from "./rich-text";
import { Segmented } from "./segmented";
import { TextAreaField } from "./text-field";

interface MarkdownFieldProps {
  label: string;
  hint?: ReactNode;
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
}

/** A text in Markdown, in an editor or a preview. */
export const MarkdownField = ({ label, hint, value, error, onChange }: MarkdownFieldProps) => {
  const { t } = useTranslation();
  const [view, setView] = useState<"write" | "preview">("write");
  const choice = (
    <Segmented
      label={t("markdown.view")}
      value={view}
      segments={[
        { value: "write", label: t("markdown.write") },
        { value: "preview", label: t("markdown.preview") },
      ]}
      onChange={setView}
    />
  );
  if (view === "write")
    return (
      <TextAreaField
        label={label}
        aside={choice}
        hint={hint}
        error={error}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  return (
    <Field label={label} aside={choice} error={error}>
      {({ id }) => (
        <section
          id={id}
          aria-label={t("markdown.preview")}
          className="min-h-24 rounded-md border border-line px-3 py-2"
        >
          {value.trim() === "" ? (
            <p className="text-ink-2">{t("markdown.empty")}</p>
          ) : (
            <RichText source={value} />
          )}
        </section>
      )}
    </Field>
  );
};
