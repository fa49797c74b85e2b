import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { CodePiece } from "../../components/code-piece";
import type { AnswerPart } from "../../lib/sanitise-answer";

/** Longer texts are shown as they are: to parse them again for each piece of a stream would hold the page up. */
const MAX_LIVE = 8_000;
const MAX_PARSED = 100_000;

/** The sanitiser and its styles, loaded with the first answer. */
const rendererQuery = {
  queryKey: ["playground", "renderer"],
  queryFn: async () => {
    const [{ toAnswerParts }] = await Promise.all([
      import("../../lib/sanitise-answer"),
      import("../../components/rich-text.css"),
    ]);
    return { toAnswerParts };
  },
  staleTime: Number.POSITIVE_INFINITY,
  meta: { silent: true },
} as const;

/** A model's text as Markdown, whatever it contains. @param isLive whether more of it is to come. */
export const AnswerText = ({ text, isLive }: { text: string; isLive: boolean }) => {
  const { data: renderer } = useQuery(rendererQuery);
  const isParsed = text.length <= (isLive ? MAX_LIVE : MAX_PARSED);
  const parts = useMemo(() => {
    try {
      return isParsed ? renderer?.toAnswerParts(text) : undefined;
    } catch {
      // Nested too deeply for the parser.
      return undefined;
    }
  }, [isParsed, renderer, text]);
  if (!parts) return <p className="wrap-anywhere whitespace-pre-wrap">{text}</p>;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other name
        <Part key={index} part={part} />
      ))}
    </div>
  );
};

const Part = ({ part }: { part: AnswerPart }) => {
  const { t } = useTranslation();
  if (part.kind === "code")
    return <CodePiece label={part.language || t("playground.code")} text={part.text} />;
  return (
    <div
      className="prose"
      ref={(element) => {
        if (element) element.innerHTML = part.html;
      }}
    />
  );
};
