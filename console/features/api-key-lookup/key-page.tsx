import { useQuery } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { EmptyState } from "../../components/empty-state";
import { LazyBoundary } from "../../components/lazy-boundary";
import { PageFrame, Panel } from "../../components/page-frame";
import { TextField } from "../../components/text-field";
import { failureText } from "../../lib/failure-text";
import { useStatus } from "../../lib/status";
import { keyUsageQuery, type Visit } from "./key-calls";

// Loaded with the first key.
const loadFigures = () => import("./key-figures");

/** /key: the figures of a key for its owner, without an account. The key stays in the memory of this page. */
export const KeyPage = () => {
  const { t } = useTranslation();
  const status = useStatus();
  if (!status) return null;
  if (status.key_page === true) return <Keys />;
  return (
    <PageFrame title={t("keyPage.title")}>
      <Panel>
        <EmptyState icon={<Lock />} title={t("keyPage.off")} text={t("keyPage.offText")} />
      </Panel>
    </PageFrame>
  );
};

/** Characters of a header; a key never has others. */
const KEY = /^[\x21-\x7e]{1,200}$/;

const Keys = () => {
  const { t } = useTranslation();
  const [visit, setVisit] = useState<Visit>({ number: 0, key: "" });
  const [isInvalid, setInvalid] = useState(false);
  const { data, error, isFetching } = useQuery({ ...keyUsageQuery(visit), enabled: visit.key !== "" });
  const open = (key: string) => {
    setInvalid(!KEY.test(key));
    // The number is another one also for the same key, so that it is asked again.
    setVisit(({ number }) => ({ number: number + 1, key: KEY.test(key) ? key : "" }));
  };
  if (data && visit.key !== "")
    return (
      <PageFrame
        title={t("keyPage.title")}
        aside={<Button onClick={() => setVisit({ ...visit, key: "" })}>{t("keyPage.leave")}</Button>}
      >
        <LazyBoundary load={loadFigures} with={{ visit, usage: data }} />
      </PageFrame>
    );
  return (
    <PageFrame title={t("keyPage.title")} description={t("keyPage.description")}>
      <Panel>
        <form
          noValidate
          className="flex max-w-xl flex-col gap-4"
          onSubmit={(event: FormEvent<HTMLFormElement>) => {
            event.preventDefault();
            open(String(new FormData(event.currentTarget).get("key")).trim());
          }}
        >
          <TextField
            label={t("keyPage.key")}
            hint={t("keyPage.hint")}
            error={isInvalid ? t("keyPage.invalid") : error ? failureText(error) : undefined}
            name="key"
            type="password"
            placeholder="sk-…"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <Button type="submit" variant="primary" className="self-start" isBusy={isFetching}>
            {t("keyPage.open")}
          </Button>
        </form>
      </Panel>
    </PageFrame>
  );
};
