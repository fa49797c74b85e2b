import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CodePiece } from "../../components/code-piece";
import { Dialog } from "../../components/dialog";
import { Segmented } from "../../components/segmented";
import { curlSnippet, pythonSnippet, type ShownRequest, typescriptSnippet } from "../../lib/request-snippets";
import { serverAddress, useStatus } from "../../lib/status";
import { shortenTexts } from "./shorten-texts";

const LANGUAGES = { curl: curlSnippet, python: pythonSnippet, typescript: typescriptSnippet } as const;
type ProgramLanguage = keyof typeof LANGUAGES;
const TITLES: Readonly<Record<ProgramLanguage, string>> = {
  curl: "curl",
  python: "Python",
  typescript: "TypeScript",
};

/** Stands for the key: the page has none. */
const KEY = "sk-YOUR-KEY";

interface CodeWindowProps {
  request: ShownRequest;
  onClose: () => void;
}

/** The page's request as programs send it. */
const CodeWindow = ({ request: { call, body }, onClose }: CodeWindowProps) => {
  const { t } = useTranslation();
  const [language, setLanguage] = useState<ProgramLanguage>("curl");
  const address = serverAddress(useStatus());
  const shown = { call, body: shortenTexts(body) as ShownRequest["body"] };
  return (
    <Dialog isOpen isWide title={t("playground.code")} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <Segmented
          label={t("playground.code")}
          value={language}
          segments={(Object.keys(LANGUAGES) as ProgramLanguage[]).map((value) => ({
            value,
            label: TITLES[value],
          }))}
          onChange={setLanguage}
          className="self-start"
        />
        <CodePiece label={TITLES[language]} text={LANGUAGES[language]({ address, key: KEY }, shown)} />
        <p className="text-ink-2 text-sm">
          {t("playground.codeText", { key: KEY })} {t("playground.rawShort")}
        </p>
      </div>
    </Dialog>
  );
};

export default CodeWindow;
