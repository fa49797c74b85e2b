import { useQuery } from "@tanstack/react-query";
import { deleteTitle, type InvoiceTitleRow } from "@tollgate/contract/api/invoices";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { FailedState } from "../../components/failed-state";
import { LazyBoundary } from "../../components/lazy-boundary";
import { PageFrame, Panel } from "../../components/page-frame";
import { RowActions } from "../../components/row-actions";
import { useEndpoint } from "../../lib/use-endpoint";
import { titlesQuery } from "./invoice-queries";

const loadTitleDialog = () => import("./title-dialog");

/** The user's invoice titles, with their actions. */
export const TitleList = () => {
  const { t } = useTranslation();
  const { data: titles, error, refetch } = useQuery(titlesQuery);
  const [edited, setEdited] = useState<InvoiceTitleRow | "new">();
  const close = () => setEdited(undefined);
  return (
    <PageFrame
      isPart
      title={t("invoice.titles")}
      description={t("invoice.titlesText")}
      aside={
        <Button aria-haspopup="dialog" onClick={() => setEdited("new")}>
          <Plus aria-hidden className="size-3.5" />
          {t("invoice.addTitle")}
        </Button>
      }
    >
      <Panel>
        {error ? (
          <FailedState error={error} onRetry={() => void refetch()} />
        ) : titles === undefined ? (
          <div role="status" aria-label={t("page.loading")} className="skeleton h-12 w-full" />
        ) : titles.length === 0 ? (
          <p className="text-ink-2">{t("invoice.noTitles")}</p>
        ) : (
          <ul className="flex flex-col divide-y divide-line">
            {titles.map((title) => (
              <TitleRow key={title.id} title={title} onEdit={() => setEdited(title)} />
            ))}
          </ul>
        )}
      </Panel>
      {edited && (
        <LazyBoundary
          load={loadTitleDialog}
          with={{ title: edited === "new" ? undefined : edited, onClose: close }}
          onMissing={close}
        />
      )}
    </PageFrame>
  );
};

const TitleRow = ({ title, onEdit }: { title: InvoiceTitleRow; onEdit: () => void }) => {
  const { t } = useTranslation();
  const remove = useEndpoint(deleteTitle);
  const { id, kind, name, taxNumber, email, isDefault } = title;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-60">
        <div className="flex flex-wrap items-center gap-2 font-medium">
          <span className="wrap-anywhere">{name}</span>
          <Badge>{t(`invoice.kind.${kind}`)}</Badge>
          {isDefault && <Badge tone="green">{t("invoice.default")}</Badge>}
        </div>
        <div className="wrap-anywhere text-sm text-ink-2">
          {[taxNumber, email].filter((text) => text !== "").join(" · ")}
        </div>
      </div>
      <RowActions
        of={name}
        actions={[
          { label: t("action.edit"), opensWindow: true, onSelect: onEdit },
          {
            label: t("action.delete"),
            isDanger: true,
            question: {
              question: t("invoice.removeQuestion", { name }),
              consequence: t("invoice.removeConsequence"),
              confirm: t("action.delete"),
            },
            onSelect: () => remove.mutateAsync({ params: { id } }),
          },
        ]}
      />
    </li>
  );
};
