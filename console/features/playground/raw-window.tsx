import { tryParseJson } from "@tollgate/contract/values/parse-json";
import { useTranslation } from "react-i18next";
import { CodePiece } from "../../components/code-piece";
import { Dialog } from "../../components/dialog";
import type { Raw } from "./run-answer";
import { shortenTexts } from "./shorten-texts";

/** Characters of a stream that are shown. */
const MAX_STREAM = 50_000;

const readable = (answer: string): string => {
  const parsed = tryParseJson(answer);
  if (parsed !== undefined) return JSON.stringify(shortenTexts(parsed), null, 2);
  return answer.length > MAX_STREAM ? `${answer.slice(0, MAX_STREAM)}…` : answer;
};

/** What a request and its answer were on the wire. */
const RawWindow = ({ raw: { request, answer }, onClose }: { raw: Raw; onClose: () => void }) => {
  const { t } = useTranslation();
  return (
    <Dialog isOpen isWide title={t("playground.raw")} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-ink-2 text-sm">{t("playground.rawShort")}</p>
        <CodePiece label={t("playground.rawRequest")} text={JSON.stringify(shortenTexts(request), null, 2)} />
        {answer === "" ? (
          <p className="text-ink-2 text-sm">{t("playground.rawNone")}</p>
        ) : (
          <CodePiece label={t("playground.rawAnswer")} text={readable(answer)} />
        )}
      </div>
    </Dialog>
  );
};

export default RawWindow;
