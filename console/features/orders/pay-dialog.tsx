import { useQuery, useQueryClient } from "@tanstack/react-query";
import { cancelOrder, listOwnOrders, type Order } from "@tollgate/contract/api/orders";
import { listOwnSubscriptions } from "@tollgate/contract/api/plans";
import { formatMoney } from "@tollgate/contract/payments/currencies";
import { CircleCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { StateMark } from "../../components/badge";
import { Button, buttonVariants } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { LazyBoundary } from "../../components/lazy-boundary";
import { exactQuota } from "../../lib/exact-quota";
import { selfQuery } from "../../lib/self";
import { useEndpoint } from "../../lib/use-endpoint";
import { ownOrderQuery } from "./order-queries";
import { useOrderTexts } from "./use-order-texts";

/** Polling interval of the order's payment. */
const ASK_MS = 2500;

const two = (value: number): string => String(value).padStart(2, "0");

/**
 * Seconds until an order expires, counted down from the server's count, because the device's clock may be wrong. Other
 * servers send no count: there, the whole time of an order runs from the first answer on.
 */
const useSecondsLeft = ({ pay, createdAt, expiresAt }: Order): number => {
  const left = pay?.seconds_left ?? expiresAt - createdAt;
  const [shown, setShown] = useState(left);
  useEffect(() => {
    const startMs = performance.now();
    const count = () => setShown(left - Math.floor((performance.now() - startMs) / 1000));
    count();
    const timer = setInterval(count, 1000);
    return () => clearInterval(timer);
  }, [left]);
  return Math.max(0, shown);
};

const Waiting = ({ order, onClose }: { order: Order; onClose: () => void }) => {
  const { t } = useTranslation();
  const { methodText } = useOrderTexts();
  const cancel = useEndpoint(cancelOrder, { repeatsAlways: true });
  const seconds = useSecondsLeft(order);
  const { pay } = order;
  const name = methodText(order.provider, order.method);
  return (
    <>
      {pay?.kind === "qr" && (
        <div className="mx-auto w-60">
          <LazyBoundary
            load={() => import("../../components/qr-code")}
            with={{ content: pay.content, label: t("order.qrLabel", { name }) }}
            fallback={<div className="skeleton aspect-square w-full" />}
          />
        </div>
      )}
      {pay?.kind === "redirect" && /^https?:\/\//.test(pay.content) && (
        <a
          href={pay.content}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonVariants({ variant: "primary" })}
        >
          {t("order.openPage", { name })}
        </a>
      )}
      <p className="text-center text-sm text-ink-2">
        {pay?.kind === "qr" ? t("order.scan", { name }) : t("order.payThere", { name })}
        <br />
        <span className="tabular-nums">
          {t("order.timeLeft", { time: `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}` })}
        </span>
      </p>
      <div className="flex justify-center gap-2">
        <Button
          variant="quiet"
          size="small"
          isBusy={cancel.isPending}
          onClick={() => cancel.mutate({ params: { number: order.number } }, { onSuccess: onClose })}
        >
          {t("order.cancel")}
        </Button>
      </div>
    </>
  );
};

/** The state of an order that is paid or has ended otherwise. */
const EndState = ({ order }: { order: Order }) => {
  const { stateText, toneOf, successText } = useOrderTexts();
  return order.state === "paid" ? (
    <p className="flex flex-col items-center gap-2 py-4 font-medium text-lg">
      <CircleCheck aria-hidden className="size-10 text-green" />
      <span className="text-center">{successText(order)}</span>
    </p>
  ) : (
    <p className="flex justify-center py-4">
      <StateMark tone={toneOf(order.state)}>{stateText(order.state)}</StateMark>
    </p>
  );
};

/** The window for paying an order, which polls for the payment. */
export const PayDialog = ({ number, onClose }: { number: string; onClose: () => void }) => {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data: order, isError } = useQuery({
    ...ownOrderQuery(number),
    refetchInterval: ({ state: { data } }) => (data && data.state !== "pending" ? false : ASK_MS),
  });
  const state = order?.state;
  const hasEnded = order !== undefined && order.state !== "pending";
  useEffect(() => {
    if (state === undefined || state === "pending") return;
    void queryClient.invalidateQueries({ queryKey: selfQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: [listOwnOrders.reads] });
    void queryClient.invalidateQueries({ queryKey: [listOwnSubscriptions.reads] });
  }, [state, queryClient]);
  return (
    <Dialog isOpen onClose={onClose} title={t("order.payTitle")}>
      <div className="flex flex-col gap-4">
        {order && (
          <dl className="flex items-baseline justify-between gap-4 border-line border-b pb-3">
            <dt className="break-words text-sm text-ink-2">
              {order.planTitle === ""
                ? t("order.gives", { quota: exactQuota(order.quota) })
                : t("order.givesPlan", { plan: order.planTitle })}
            </dt>
            <dd className="font-semibold text-xl tabular-nums">
              {formatMoney(order.amount, order.currency)}
            </dd>
          </dl>
        )}
        {order?.state === "pending" && <Waiting order={order} onClose={onClose} />}
        {/* Only the outcome: a screen reader would announce each second of the countdown. */}
        <div aria-live="polite" className="empty:-mt-4">
          {hasEnded && <EndState order={order} />}
          {!order && isError && <p className="py-6 text-center text-ink-2">{t("order.notFound")}</p>}
        </div>
        {hasEnded && (
          <Button variant="primary" onClick={onClose}>
            {t("action.close")}
          </Button>
        )}
        {!order && !isError && <div className="skeleton h-60 w-full" />}
      </div>
    </Dialog>
  );
};
