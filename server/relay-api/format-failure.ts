import type { LogFailure } from "@tollgate/contract/api/logs";
import { DEFAULT_GROUP } from "@tollgate/contract/management/group";
import { inEachLanguage, LANGUAGES, type Language } from "../locales/languages";
import { describeIn, isRefusalCode } from "./refusals";

const describers = inEachLanguage(describeIn);

/** Why a request came to nothing, as its owner and administrators read it. */
export interface FailureText {
  /** HTTP status of its answer; 0 where its client had left. */
  status: number;
  /** As programs know it. */
  code: string;
  reason: string;
}

/** Names in a sentence are unknown for failures from before they were stored. */
const withoutNames = (sentence: string): string => sentence.replaceAll(/\{\w+\}/g, "…");

/**
 * The reason of a failure in one language: the sentence sent to its client.
 * @param model as requested by the client, for a failure stored without details.
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
  const reason = told?.rewrite ? described.message : withoutNames(described.message);
  return { status: described.status, code: described.code, reason };
};

/** The upstream's error behind a failure in one line, for administrators; undefined where none was sent. */
export const formatOriginal = ({ told }: Pick<LogFailure, "told">): string | undefined => {
  const { status = 0, code = "", message = "" } = told?.original ?? {};
  return [status > 0 ? String(status) : "", code, message].filter(Boolean).join(" ") || undefined;
};

/** Whether a rule of the site hides the upstream's error from the owner of the request. */
export const hidesOriginal = ({ told }: Pick<LogFailure, "told">): boolean =>
  told?.rewrite !== undefined && told.rewrite.isOriginal !== true;
