import type { Order } from "@tollgate/contract/api/orders";
import { ORDER_STATES } from "@tollgate/contract/payments/order-machine";
import { PAYMENT_PROVIDERS } from "@tollgate/contract/payments/providers";
import {
  PAYMENT_FAULTS,
  PLAN_ORDER_FAULTS,
  REFUND_KINDS,
  REFUND_STATES,
} from "@tollgate/contract/records/order-record";
import { useTranslation } from "react-i18next";
import type { Tone } from "../../components/badge";
import { exactQuota } from "../../lib/exact-quota";

const TONES: Readonly<Record<(typeof ORDER_STATES)[number], Tone>> = {
  pending: "yellow",
  paid: "green",
  expired: "grey",
  cancelled: "grey",
  failed: "red",
  "partly-refunded": "olive",
  refunded: "olive",
};

/** Payment methods with a text. */
const METHODS = ["alipay", "wxpay", "qqpay"] as const;

/** Names of states, providers and payment methods; unknown ones from another version keep their raw name. */
export const useOrderTexts = () => {
  const { t } = useTranslation();
  const providerText = (name: string): string => {
    const known = PAYMENT_PROVIDERS.find((each) => each.name === name);
    return known ? t(`order.provider.${known.name}`) : name;
  };
  /** Reason that a plan did not begin; "" without one. */
  const planFaultText = (fault: string): string => {
    const known = PLAN_ORDER_FAULTS.find((each) => each === fault);
    return known ? t(`order.planFault.${known}`) : fault;
  };
  return {
    providerText,
    planFaultText,
    /** The message after a payment: the received quota or plan. */
    successText({ planTitle, planFault, quota }: Pick<Order, "planTitle" | "planFault" | "quota">): string {
      if (planTitle === "") return t("order.success", { quota: exactQuota(quota) });
      if (planFault === "") return t("order.planSuccess", { plan: planTitle });
      return t("order.planCredited", { quota: exactQuota(quota), reason: planFaultText(planFault) });
    },
    stateText(state: string): string {
      const known = ORDER_STATES.find((each) => each === state);
      return known ? t(`order.state.${known}`) : state;
    },
    toneOf(state: string): Tone {
      const known = ORDER_STATES.find((each) => each === state);
      return known ? TONES[known] : "grey";
    },
    refundKind(kind: string): string {
      const known = REFUND_KINDS.find((each) => each === kind);
      return known ? t(`order.refundKind.${known}`) : kind;
    },
    refundState(state: string): string {
      const known = REFUND_STATES.find((each) => each === state);
      return known ? t(`order.refundState.${known}`) : state;
    },
    faultText(fault: string): string {
      const known = PAYMENT_FAULTS.find((each) => each === fault);
      return known ? t(`order.fault.${known}`) : fault;
    },
    methodText(provider: string, method: string): string {
      const known = METHODS.find((each) => each === method);
      if (known) return t(`order.method.${known}`);
      return method === "" ? providerText(provider) : method;
    },
  };
};
