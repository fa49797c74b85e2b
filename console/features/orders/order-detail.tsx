import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  askProvider,
  completeOrder,
  type OrderDetail as Detail,
  type RefundOutcome,
  refundOrder,
  settleRefund,
} from "@tollgate/contract/api/orders";
import { formatMoney, formatUnitPrice } from "@tollgate/contract/payments/currencies";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { FailedState } from "../../components/failed-state";
import { PageFrame, Panel } from "../../components/page-frame";
import { exactQuota } from "../../lib/exact-quota";
import { formatTime } from "../../lib/format";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";
import { OrderStateCell } from "./order-cells";
import { orderDetailQuery } from "./order-queries";
import { ReasonDialog } from "./reason-dialog";
import { useOrderTexts } from "./use-order-texts";

/** A part of what is known, with its heading. */
const Part = ({ title, text, children }: { title: string; text?: string; children: ReactNode }) => (
  <Panel>
    <h2 className="mb-3 font-semibold text-lg">
      {title}
      {text !== undefined && <span className="ms-2 font-normal text-sm text-ink-2">{text}</span>}
    </h2>
    {children}
  </Panel>
);

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-sm text-ink-2">{label}</dt>
    <dd className="break-all tabular-nums">{children}</dd>
  </div>
);

const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="grid gap-x-6 gap-y-3 wide:grid-cols-2">{children}</dl>
);

const Money = ({ detail: { order } }: { detail: Detail }) => {
  const { t } = useTranslation();
  const { providerText, methodText, planFaultText } = useOrderTexts();
  const back = order.refunded + order.disputed;
  return (
    <Facts>
      <Fact label={t("order.stateLabel")}>
        <OrderStateCell order={order} />
      </Fact>
      <Fact label={t("field.user")}>
        <Link
          to="/user/edit/$id"
          params={{ id: String(order.userId) }}
          className="underline decoration-line-strong underline-offset-4"
        >
          {order.username}
        </Link>
      </Fact>
      <Fact label={t("order.money")}>{formatMoney(order.amount, order.currency)}</Fact>
      <Fact label={t("field.quota")}>{exactQuota(order.quota)}</Fact>
      {order.unitPrice !== "" && (
        <Fact label={t("order.quotedAt")}>
          {t("order.quotedTerms", {
            price: formatUnitPrice(order.unitPrice, order.currency),
            quota: Number(order.quotaPerUnit).toLocaleString("en-US"),
          })}
        </Fact>
      )}
      {order.planTitle !== "" && (
        <Fact label={t("order.plan")}>
          {order.planTitle}
          {order.planFault !== "" && ` · ${planFaultText(order.planFault)}`}
        </Fact>
      )}
      {order.planBack > 0 && <Fact label={t("order.planBack")}>{exactQuota(order.planBack)}</Fact>}
      <Fact label={t("order.providerLabel")}>
        {providerText(order.provider)}
        {order.method !== "" && ` · ${methodText(order.provider, order.method)}`}
      </Fact>
      {order.payment !== "" && <Fact label={t("order.payment")}>{order.payment}</Fact>}
      <Fact label={t("order.created")}>{formatTime(order.createdAt)}</Fact>
      {order.paidAt > 0 && <Fact label={t("order.paidTime")}>{formatTime(order.paidAt)}</Fact>}
      {back > 0 && <Fact label={t("order.back")}>{formatMoney(back, order.currency)}</Fact>}
      {order.taken > 0 && <Fact label={t("order.taken")}>{exactQuota(order.taken)}</Fact>}
      {order.completedName !== "" && (
        <Fact label={t("order.completedBy", { name: order.completedName })}>{order.reason}</Fact>
      )}
      {order.detail !== "" && <Fact label={t("order.providerSays")}>{order.detail}</Fact>}
    </Facts>
  );
};

/** For a refund that waits for a person: an administrator says what became of its money. */
const SettleRefund = ({ order, refund }: { order: Detail["order"]; refund: Detail["refunds"][number] }) => {
  const { t } = useTranslation();
  const [outcome, setOutcome] = useState<RefundOutcome>();
  const settle = useEndpoint(settleRefund, { repeatsAlways: true });
  const close = () => setOutcome(undefined);
  const title = outcome === "sent" ? t("order.settleSent") : t("order.settleNotSent");
  const said = {
    money: formatMoney(refund.amount, order.currency),
    taken: exactQuota(refund.taken),
    user: order.username,
  };
  return (
    <span className="mt-1 flex flex-wrap gap-2">
      <Button size="small" onClick={() => setOutcome("sent")}>
        {t("order.settleSent")}
      </Button>
      <Button size="small" onClick={() => setOutcome("not-sent")}>
        {t("order.settleNotSent")}
      </Button>
      {outcome && (
        <ReasonDialog
          title={title}
          text={outcome === "sent" ? t("order.settleSentText", said) : t("order.settleNotSentText", said)}
          confirm={title}
          isBusy={settle.isPending}
          onClose={close}
          onConfirm={(reason) =>
            settle.mutate(
              { params: { number: order.number, id: refund.id }, body: { outcome, reason } },
              { onSuccess: () => notify.success(t("action.done")), onSettled: close },
            )
          }
        />
      )}
    </span>
  );
};

const Refunds = ({ detail: { order, refunds } }: { detail: Detail }) => {
  const { t } = useTranslation();
  const { refundKind, refundState } = useOrderTexts();
  return (
    <ul className="flex flex-col divide-y divide-line">
      {refunds.map((refund) => (
        <li key={refund.id} className="flex flex-col gap-0.5 py-2 first:pt-0 last:pb-0">
          <span className="flex flex-wrap justify-between gap-x-4">
            <span className="font-medium tabular-nums">{formatMoney(refund.amount, order.currency)}</span>
            <span className="text-sm text-ink-2">{formatTime(refund.createdAt)}</span>
          </span>
          <span className="text-sm text-ink-2">
            {t("order.refundTook", {
              taken: exactQuota(refund.taken),
              missing: exactQuota(refund.missing),
            })}
          </span>
          <span className="break-words text-sm text-ink-3">
            {[
              refundKind(refund.kind),
              refundState(refund.state),
              refund.actorName,
              refund.reason,
              refund.detail,
            ]
              .filter((part) => part !== "")
              .join(" · ")}
          </span>
          {refund.settledAt > 0 && (
            <span className="break-words text-sm text-ink-3">
              {t("order.settledBy", { name: refund.settledName, time: formatTime(refund.settledAt) })}
              {` · ${refund.settledReason}`}
            </span>
          )}
          {(refund.state === "asking" || refund.state === "by-hand") && (
            <SettleRefund order={order} refund={refund} />
          )}
        </li>
      ))}
    </ul>
  );
};

const Faults = ({ detail: { faults } }: { detail: Detail }) => {
  const { providerText, faultText } = useOrderTexts();
  return (
    <ul className="flex flex-col divide-y divide-line">
      {faults.map((fault) => (
        <li
          key={`${fault.provider} ${fault.fault}`}
          className="flex flex-wrap justify-between gap-x-4 py-2 first:pt-0 last:pb-0"
        >
          <span>
            {providerText(fault.provider)} · {faultText(fault.fault)} × {fault.count}
          </span>
          <span className="text-sm text-ink-2">{formatTime(fault.lastAt)}</span>
        </li>
      ))}
    </ul>
  );
};

const isOpen = (state: string): boolean => ["pending", "expired", "cancelled", "failed"].includes(state);

const Actions = ({ detail: { order } }: { detail: Detail }) => {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<"complete" | "refund">();
  const params = { number: order.number };
  const ask = useEndpoint(askProvider, { repeatsAlways: true });
  const complete = useEndpoint(completeOrder, { repeatsAlways: true });
  const refund = useEndpoint(refundOrder, { repeatsAlways: true });
  const close = () => setAsking(undefined);
  const canRefund = order.state === "paid" || order.state === "partly-refunded";
  return (
    <div className="flex flex-wrap gap-2">
      {isOpen(order.state) && (
        <>
          <Button
            isBusy={ask.isPending}
            onClick={() => ask.mutate({ params }, { onSuccess: () => notify.success(t("action.done")) })}
          >
            {t("order.ask")}
          </Button>
          <Button onClick={() => setAsking("complete")}>{t("order.complete")}</Button>
        </>
      )}
      {canRefund && <Button onClick={() => setAsking("refund")}>{t("order.refund")}</Button>}
      {asking === "complete" && (
        <ReasonDialog
          title={t("order.complete")}
          text={
            order.planTitle === ""
              ? t("order.completeText", { quota: exactQuota(order.quota), user: order.username })
              : t("order.completePlanText", { plan: order.planTitle, user: order.username })
          }
          confirm={t("order.complete")}
          isBusy={complete.isPending}
          onClose={close}
          onConfirm={(reason) =>
            complete.mutate(
              { params, body: { reason } },
              {
                onSuccess: () => notify.success(t("action.done")),
                onSettled: close,
              },
            )
          }
        />
      )}
      {asking === "refund" && (
        <ReasonDialog
          title={t("order.refund")}
          text={
            order.subscriptionId === 0
              ? t("order.refundText", { user: order.username })
              : t("order.refundPlanText", { plan: order.planTitle, user: order.username })
          }
          confirm={t("order.refund")}
          isBusy={refund.isPending}
          onClose={close}
          onConfirm={(reason) =>
            refund.mutate(
              { params, body: { reason } },
              {
                onSuccess: (result) => {
                  if (!result) return;
                  const said = {
                    money: formatMoney(result.amount, result.currency),
                    taken: exactQuota(result.taken),
                  };
                  if (result.result === "by-hand") notify.warning(t("order.refundByHand", said));
                  else if (result.result === "waiting") notify.warning(t("order.refundWaiting", said));
                  else notify.success(t("order.refundMade", said));
                },
                onSettled: close,
              },
            )
          }
        />
      )}
    </div>
  );
};

/** One order with its refunds, and with what was wrong with callbacks about it. */
export const OrderDetail = ({ number, onClose }: { number: string; onClose: () => void }) => {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(orderDetailQuery(number));
  return (
    <div className="mx-auto w-full max-w-[860px]">
      <PageFrame
        title={t("order.details")}
        description={<span className="break-all font-mono text-sm">{number}</span>}
        aside={
          <div className="flex flex-wrap gap-2">
            {data && <Actions detail={data} />}
            <Button variant="quiet" onClick={onClose}>
              {t("order.backToAll")}
            </Button>
          </div>
        }
      >
        {error && <FailedState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <div className="skeleton h-64 w-full" />}
        {data && (
          <>
            <Part title={t("order.theOrder")}>
              <Money detail={data} />
            </Part>
            {data.refunds.length > 0 && (
              <Part title={t("order.refunds")}>
                <Refunds detail={data} />
              </Part>
            )}
            {data.faults.length > 0 && (
              <Part title={t("order.faults")} text={t("order.faultsText")}>
                <Faults detail={data} />
              </Part>
            )}
            {Object.keys(data.words).length > 0 && (
              <Part title={t("order.providerSays")}>
                <Facts>
                  {Object.entries(data.words).map(([name, value]) => (
                    <Fact key={name} label={name}>
                      {value}
                    </Fact>
                  ))}
                </Facts>
              </Part>
            )}
          </>
        )}
      </PageFrame>
    </div>
  );
};
