import { useQuery } from "@tanstack/react-query";
import type { NoticeTargetWire } from "@tollgate/contract/api/notices";
import { isNoticeEvent } from "@tollgate/contract/notices/notice-events";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { FailedState } from "../../components/failed-state";
import { LazyBoundary } from "../../components/lazy-boundary";
import { RowActions } from "../../components/row-actions";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";
import { targetsQuery } from "./notice-queries";
import { faultText } from "./outcome-text";
import { noticesOf, type Scope } from "./scope";

const loadTargetWindow = () => import("./target-window");

/** The notification targets, with their actions. */
export const TargetList = ({ scope }: { scope: Scope }) => {
  const { t } = useTranslation();
  const { data: targets, error, refetch } = useQuery(targetsQuery(scope));
  const [edited, setEdited] = useState<NoticeTargetWire | "new">();
  const close = () => setEdited(undefined);
  if (error) return <FailedState error={error} onRetry={() => void refetch()} />;
  if (!targets) return <div role="status" aria-label={t("page.loading")} className="skeleton h-16 w-full" />;
  return (
    <>
      {targets.length === 0 ? (
        <p className="text-ink-2">{t(`notice.none.${scope}`)}</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {targets.map((target) => (
            <TargetRow key={target.id} scope={scope} target={target} onEdit={() => setEdited(target)} />
          ))}
        </ul>
      )}
      <div>
        <Button aria-haspopup="dialog" onClick={() => setEdited("new")}>
          <Plus aria-hidden className="size-3.5" />
          {t("notice.add")}
        </Button>
      </div>
      {edited && (
        <LazyBoundary
          load={loadTargetWindow}
          with={{ scope, target: edited === "new" ? undefined : edited, onClose: close }}
          onMissing={close}
        />
      )}
    </>
  );
};

const TargetRow = ({
  scope,
  target,
  onEdit,
}: {
  scope: Scope;
  target: NoticeTargetWire;
  onEdit: () => void;
}) => {
  const { t } = useTranslation();
  const { testTarget, deleteTarget } = noticesOf(scope);
  const params = { id: target.id };
  const test = useEndpoint(testTarget);
  const remove = useEndpoint(deleteTarget);
  const kind = t(`notice.target.${target.kind}`);
  const name = target.name || kind;
  const told = target.events.filter(isNoticeEvent).map((event) => t(`notice.event.${event}`));
  const tryIt = () =>
    test.mutate(
      { params },
      {
        onSuccess: (outcome) => {
          const fault = faultText(t, outcome);
          if (fault === "") notify.success(t("notice.testSent", { name }));
          else notify.error(t("notice.testFailed", { name, reason: fault }));
        },
      },
    );
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-60">
        <div className="flex flex-wrap items-center gap-2 font-medium">
          <span className="break-words">{name}</span>
          {name !== kind && <Badge>{kind}</Badge>}
          {!target.is_enabled && <Badge tone="yellow">{t("notice.off")}</Badge>}
        </div>
        <div className="break-words text-sm text-ink-2">
          {told.length === 0 ? t("notice.noEvents") : told.join(t("notice.separator"))}
        </div>
      </div>
      <RowActions
        of={name}
        actions={[
          { label: t("notice.test"), isBusy: test.isPending, onSelect: tryIt },
          { label: t("action.edit"), opensWindow: true, onSelect: onEdit },
          {
            label: t("action.delete"),
            isDanger: true,
            question: {
              question: t("notice.removeQuestion", { name }),
              consequence: t("notice.removeConsequence"),
              confirm: t("action.delete"),
            },
            onSelect: () => remove.mutateAsync({ params }),
          },
        ]}
      />
    </li>
  );
};
