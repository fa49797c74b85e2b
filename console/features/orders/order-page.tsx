import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { Order, OrderDetail } from "@tollgate/contract/api/orders";
import { formatMoney, formatUnitPrice } from "@tollgate/contract/payments/currencies";
import { Copy } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { type DetailTab, type Fact, Facts, RecordPage } from "../../components/detail-page";
import { RecordLink } from "../../components/record-link";
import { copyOrShow } from "../../lib/copy";
import { exactQuota } from "../../lib/exact-quota";
import { formatOrderNumber, formatTime } from "../../lib/format";
import { useSession } from "../../lib/session";
import { OrderActions } from "./order-actions";
import { OrderStateCell } from "./order-cells";
import { orderDetailQuery, ownOrderDetailQuery } from "./order-queries";
import { OrderTimeline } from "./order-timeline";
import { PayDialog } from "./pay-dialog";
import { useOrderTexts } from "./use-order-texts";

/** /order/{number}: any order for administrators, one's own otherwise. @param tabsOf tabs from other features. */
export const OrderPage = ({ tabsOf }: { tabsOf: (order: Order) => readonly DetailTab[] }) => {
  const { t } = useTranslation();
  const { isAdmin } = useSession("orders");
  const { number = "" } = useParams({ strict: false });
  const any = useQuery({ ...orderDetailQuery(number), enabled: isAdmin });
  const own = useQuery({ ...ownOrderDetailQuery(number), enabled: !isAdmin });
  const factsOf = useFacts();
  return (
    <RecordPage query={isAdmin ? any : own} label={t("order.details")}>
      {(detail) => ({
        title: (
          <span title={detail.order.number}>
            {t("order.numbered", { number: formatOrderNumber(detail.order.number) })}
          </span>
        ),
        marks: (
          <>
            <Button
              variant="quiet"
              size="smallIcon"
              aria-label={t("order.copyNumber")}
              onClick={() => void copyOrShow(detail.order.number, () => undefined)}
            >
              <Copy aria-hidden className="size-3.5" />
            </Button>
            <OrderStateCell order={detail.order} />
          </>
        ),
        actions: isAdmin ? <OrderActions detail={detail} /> : <OwnActions order={detail.order} />,
        facts: factsOf(detail.order),
        tabs: [
          { id: "overview", label: t("detail.overview"), content: <Overview detail={detail} /> },
          ...tabsOf(detail.order),
        ],
      })}
    </RecordPage>
  );
};

/** The buyer's actions: an open order can be paid. */
const OwnActions = ({ order: { number, state } }: { order: Order }) => {
  const { t } = useTranslation();
  const [isPaying, setPaying] = useState(false);
  return (
    <>
      {state === "pending" && (
        <Button variant="primary" aria-haspopup="dialog" onClick={() => setPaying(true)}>
          {t("order.pay")}
        </Button>
      )}
      {isPaying && <PayDialog number={number} onClose={() => setPaying(false)} />}
    </>
  );
};

const Overview = ({ detail }: { detail: OrderDetail }) => {
  const { t } = useTranslation();
  const { faults, words } = detail;
  return (
    <div className="flex flex-col gap-4">
      <Part title={t("order.timeline")}>
        <OrderTimeline detail={detail} />
      </Part>
      {faults.length > 0 && (
        <Part title={t("order.faults")} text={t("order.faultsText")}>
          <Faults faults={faults} />
        </Part>
      )}
      {Object.keys(words).length > 0 && (
        <Facts title={t("order.providerSays")} facts={Object.entries(words)} />
      )}
    </div>
  );
};

/** A section with its heading. */
const Part = ({ title, text, children }: { title: string; text?: string; children: ReactNode }) => (
  <section aria-label={title} className="rounded-lg border border-line bg-surface px-4 py-3">
    <h2 className="mb-3 font-semibold text-base">
      {title}
      {text !== undefined && <span className="ms-2 font-normal text-sm text-ink-2">{text}</span>}
    </h2>
    {children}
  </section>
);

/** The promotions of an order, each with its effect. */
const Promotions = ({ order: { promotions, currency } }: { order: Order }) => {
  const { t } = useTranslation();
  return (
    <ul>
      {promotions.map(({ id, name, code, effect, quota, amount }) => (
        <li key={id} className="break-words">
          {t(`order.promotionGives.${effect}`, {
            name: code === "" || code === name ? name : `${name} (${code})`,
            quota: exactQuota(quota),
            money: formatMoney(amount, currency),
          })}
        </li>
      ))}
    </ul>
  );
};

/** What the head of the page says of an order. */
const useFacts = (): ((order: Order) => readonly Fact[]) => {
  const { t } = useTranslation();
  const { isAdmin } = useSession("orders");
  const { providerText, methodText, planFaultText } = useOrderTexts();
  return (order) => [
    [t("order.money"), formatMoney(order.amount, order.currency)],
    order.discount > 0
      ? [t("order.listPrice"), formatMoney(order.amount + order.discount, order.currency)]
      : undefined,
    [t("field.quota"), exactQuota(order.quota)],
    order.bonus > 0 ? [t("order.ofWhichBonus"), exactQuota(order.bonus)] : undefined,
    order.promotions.length > 0
      ? [t("order.promotions"), <Promotions key="promotions" order={order} />]
      : undefined,
    isAdmin
      ? [
          t("field.user"),
          <RecordLink key="buyer" kind="user" id={order.userId}>
            {order.username}
          </RecordLink>,
        ]
      : undefined,
    [
      t("order.providerLabel"),
      order.method === ""
        ? providerText(order.provider)
        : `${providerText(order.provider)} · ${methodText(order.provider, order.method)}`,
    ],
    order.planTitle === "" ? undefined : [t("order.plan"), order.planTitle],
    order.planFault === "" ? undefined : [t("order.planNotStarted"), planFaultText(order.planFault)],
    order.unitPrice === ""
      ? undefined
      : [
          t("order.quotedAt"),
          t("order.quotedTerms", {
            price: formatUnitPrice(order.unitPrice, order.currency),
            quota: Number(order.quotaPerUnit).toLocaleString("en-US"),
          }),
        ],
    order.refunded + order.disputed > 0
      ? [t("order.back"), formatMoney(order.refunded + order.disputed, order.currency)]
      : undefined,
    order.taken > 0 ? [t("order.taken"), exactQuota(order.taken)] : undefined,
    order.planBack > 0 ? [t("order.planBack"), exactQuota(order.planBack)] : undefined,
    [
      t("order.number"),
      <span key="number" className="break-all font-mono text-sm">
        {order.number}
      </span>,
    ],
    order.payment === ""
      ? undefined
      : [
          t("order.payment"),
          <span key="payment" className="break-all font-mono text-sm">
            {order.payment}
          </span>,
        ],
    order.detail === "" ? undefined : [t("order.providerSays"), order.detail],
  ];
};

const Faults = ({ faults }: Pick<OrderDetail, "faults">) => {
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
