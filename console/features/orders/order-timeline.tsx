import type { OrderDetail, Refund } from "@tollgate/contract/api/orders";
import { formatMoney } from "@tollgate/contract/payments/currencies";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { StateMark, type Tone } from "../../components/badge";
import { exactQuota } from "../../lib/exact-quota";
import { formatTime } from "../../lib/format";
import { SettleRefund } from "./order-actions";
import { useOrderTexts } from "./use-order-texts";

interface Event {
  id: string;
  tone: Tone;
  what: string;
  /** Unix seconds; 0 if the time is unknown. */
  at: number;
  details?: readonly string[];
  action?: ReactNode;
}

/** The events of an order, oldest first. */
const useEvents = ({ order, refunds }: OrderDetail): Event[] => {
  const { t } = useTranslation();
  const { stateText, toneOf, planFaultText, refundKind, refundState } = useOrderTexts();
  const money = (amount: number) => formatMoney(amount, order.currency);
  const back = order.refunded + order.disputed;
  const isPaid = order.paidAt > 0;
  const toRefund = (refund: Refund): Event => ({
    id: `refund ${refund.id}`,
    tone: refund.state === "done" || refund.state === "taking" ? "olive" : "yellow",
    what: `${refundKind(refund.kind)} ${money(refund.amount)}`,
    at: refund.createdAt,
    details: [
      t("order.refundTook", { taken: exactQuota(refund.taken), missing: exactQuota(refund.missing) }),
      [refundState(refund.state), refund.actorName, refund.reason, refund.detail]
        .filter((text) => text !== "")
        .join(" · "),
      ...(refund.settledAt > 0
        ? [
            `${t("order.settledBy", { name: refund.settledName, time: formatTime(refund.settledAt) })} · ${refund.settledReason}`,
          ]
        : []),
    ],
    action: (refund.state === "asking" || refund.state === "by-hand") && (
      <SettleRefund order={order} refund={refund} />
    ),
  });
  return [
    {
      id: "created",
      tone: "grey",
      what: t("order.ordered", { money: money(order.amount) }),
      at: order.createdAt,
    },
    ...(isPaid
      ? [
          {
            id: "paid",
            tone: "green" as const,
            what: t("order.paid"),
            at: order.paidAt,
            details: [
              ...(order.completedName === ""
                ? []
                : [`${t("order.completedBy", { name: order.completedName })} · ${order.reason}`]),
              ...(order.isLate ? [t("order.late")] : []),
            ],
          },
          {
            id: "credited",
            tone: "green" as const,
            what:
              order.planTitle !== "" && order.planFault === ""
                ? t("order.planStarted", { plan: order.planTitle })
                : t("order.credited", { quota: exactQuota(order.quota) }),
            at: order.paidAt,
            details: order.planFault === "" ? [] : [planFaultText(order.planFault)],
          },
        ]
      : [
          {
            id: "state",
            tone: toneOf(order.state),
            what: stateText(order.state),
            at: order.state === "expired" ? order.expiresAt : 0,
            details:
              order.state === "pending" ? [t("order.openUntil", { time: formatTime(order.expiresAt) })] : [],
          },
        ]),
    ...refunds.map(toRefund).sort((a, b) => a.at - b.at),
    // A buyer sees only the sum of all refunds.
    ...(refunds.length === 0 && back > 0
      ? [
          {
            id: "refunded",
            tone: "olive" as const,
            what: t("order.refundedSum", { money: money(back) }),
            at: 0,
          },
        ]
      : []),
  ];
};

/** The events of an order: ordered, paid, credited, refunded. */
export const OrderTimeline = ({ detail }: { detail: OrderDetail }) => (
  <ol className="flex flex-col divide-y divide-line">
    {useEvents(detail).map(({ id, tone, what, at, details = [], action }) => (
      <li key={id} className="flex flex-col gap-0.5 py-2 first:pt-0 last:pb-0">
        <span className="flex flex-wrap justify-between gap-x-4">
          <StateMark tone={tone}>
            <span className="whitespace-normal font-medium tabular-nums">{what}</span>
          </StateMark>
          <span className="text-sm text-ink-2 tabular-nums">{at > 0 && formatTime(at)}</span>
        </span>
        {details.map((text) => (
          <span key={text} className="break-words ps-[13px] text-sm text-ink-2">
            {text}
          </span>
        ))}
        {action && <span className="ps-[13px]">{action}</span>}
      </li>
    ))}
  </ol>
);
