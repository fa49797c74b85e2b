import type { LogFailure } from "@tollgate/contract/api/logs";
import { DEFAULT_GROUP } from "@tollgate/contract/management/group";
import { inEachLanguage, LANGUAGES, type Language } from "../../locales/languages";
import { describeIn, isRefusalCode } from "../../relay-api/refusals";

const describers = inEachLanguage(describeIn);

/** Why a request came to nothing, as its owner and administrators read it. */
export interface FailureText {
  /** HTTP status of its answer; 0 where its client had left. */
  status: number;
  /** As programs know it. */
  code: string;
  /** What happened and what to do. */
  reason: string;
}

/** What a sentence named is not known of failures from before it was kept. */
const withoutNames = (sentence: string): string => sentence.replaceAll(/\{\w+\}/g, "…");

/**
 * The reason of a failure in one language: the sentence that its client was told.
 * @param model the one that the client asked for, for a failure of which nothing else was kept.
 */
export const formatFailure = (language: Language, failure: LogFailure, model: string): FailureText => {
  const { code, told, group = DEFAULT_GROUP } = failure;
  if (!told && !isRefusalCode(code)) {
    const { ends } = LANGUAGES[language].log;
    const reason = code === "client-left" ? ends["client-left"] : ends.failed;
    return { status: 0, code: code.replaceAll("-", "_"), reason };
  }
  const refusal = told ?? { code: isRefusalCode(code) ? code : "internal", params: { model, group } };
  const described = describers[language](refusal);
  return { status: described.status, code: described.code, reason: withoutNames(described.message) };
};
