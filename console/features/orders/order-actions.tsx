import {
  askProvider,
  completeOrder,
  type Order,
  type OrderDetail,
  type Refund,
  type RefundOutcome,
  refundOrder,
  settleRefund,
} from "@tollgate/contract/api/orders";
import { formatMoney } from "@tollgate/contract/payments/currencies";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { ReasonDialog } from "../../components/reason-dialog";
import { exactQuota } from "../../lib/exact-quota";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";

/** For a refund that needs a manual decision: an administrator reports the outcome. */
export const SettleRefund = ({ order, refund }: { order: Order; refund: Refund }) => {
  const { t } = useTranslation();
  const [outcome, setOutcome] = useState<RefundOutcome>();
  const refused = useMistakes();
  const settle = useEndpoint(settleRefund, { atField: refused.atField, repeatsAlways: true });
  const close = () => setOutcome(undefined);
  const done = () => {
    notify.success(t("action.done"));
    close();
  };
  const title = outcome === "sent" ? t("order.settleSent") : t("order.settleNotSent");
  const said = {
    money: formatMoney(refund.amount, order.currency),
    taken: exactQuota(refund.taken),
    user: order.username,
  };
  return (
    <span className="mt-1 flex flex-wrap gap-2">
      <Button size="small" aria-haspopup="dialog" onClick={() => setOutcome("sent")}>
        {t("order.settleSent")}
      </Button>
      <Button size="small" aria-haspopup="dialog" onClick={() => setOutcome("not-sent")}>
        {t("order.settleNotSent")}
      </Button>
      {outcome && (
        <ReasonDialog
          title={title}
          text={outcome === "sent" ? t("order.settleSentText", said) : t("order.settleNotSentText", said)}
          confirm={title}
          isBusy={settle.isPending}
          refused={refused}
          onClose={close}
          onConfirm={(reason) =>
            settle.mutate(
              { params: { number: order.number, id: refund.id }, body: { outcome, reason } },
              { onSuccess: done },
            )
          }
        />
      )}
    </span>
  );
};

const isOpen = (state: string): boolean => ["pending", "expired", "cancelled", "failed"].includes(state);

/** An administrator's actions on an order. */
export const OrderActions = ({ detail: { order } }: { detail: OrderDetail }) => {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<"complete" | "refund">();
  const params = { number: order.number };
  const ask = useEndpoint(askProvider, { repeatsAlways: true });
  const refused = useMistakes();
  const complete = useEndpoint(completeOrder, { atField: refused.atField, repeatsAlways: true });
  const refund = useEndpoint(refundOrder, { atField: refused.atField, repeatsAlways: true });
  const close = () => setAsking(undefined);
  const done = () => {
    notify.success(t("action.done"));
    close();
  };
  const canRefund = order.state === "paid" || order.state === "partly-refunded";
  return (
    <>
      {isOpen(order.state) && (
        <>
          <Button
            isBusy={ask.isPending}
            onClick={() => ask.mutate({ params }, { onSuccess: () => notify.success(t("action.done")) })}
          >
            {t("order.ask")}
          </Button>
          <Button aria-haspopup="dialog" onClick={() => setAsking("complete")}>
            {t("order.complete")}
          </Button>
        </>
      )}
      {canRefund && (
        <Button aria-haspopup="dialog" onClick={() => setAsking("refund")}>
          {t("order.refund")}
        </Button>
      )}
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
          refused={refused}
          onClose={close}
          onConfirm={(reason) => complete.mutate({ params, body: { reason } }, { onSuccess: done })}
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
          refused={refused}
          onClose={close}
          onConfirm={(reason) =>
            refund.mutate(
              { params, body: { reason } },
              {
                onSuccess: (result) => {
                  close();
                  if (!result) return;
                  const said = {
                    money: formatMoney(result.amount, result.currency),
                    taken: exactQuota(result.taken),
                  };
                  if (result.result === "by-hand") notify.warning(t("order.refundByHand", said));
                  else if (result.result === "waiting") notify.warning(t("order.refundWaiting", said));
                  else notify.success(t("order.refundMade", said));
                },
              },
            )
          }
        />
      )}
    </>
  );
};
