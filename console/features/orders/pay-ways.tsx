import type { OrderTermsWire } from "@tollgate/contract/api/orders";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Segmented } from "../../components/segmented";
import { useOrderTexts } from "./use-order-texts";

/** A payment method of a provider. */
interface Way {
  key: string;
  provider: string;
  method: string;
}

/** The payment methods and the chosen one; undefined without one. */
interface PayWays {
  all: readonly Way[];
  way: Way | undefined;
  choose: (key: string) => void;
}

const waysOf = ({ providers }: OrderTermsWire): Way[] =>
  providers.flatMap(({ name, methods }) =>
    methods.map((method) => ({ key: `${name} ${method}`, provider: name, method })),
  );

export const usePayWays = (terms: OrderTermsWire): PayWays => {
  const all = waysOf(terms);
  const [chosen, choose] = useState(all[0]?.key ?? "");
  return { all, way: all.find(({ key }) => key === chosen), choose };
};

/** The buyer's choice of a payment method. */
export const WayChoice = ({ ways: { all, way, choose } }: { ways: PayWays }) => {
  const { t } = useTranslation();
  const { methodText, providerText } = useOrderTexts();
  /** Adds the provider's name if another provider has a method of the same name. */
  const wayText = ({ provider, method }: Way): string => {
    const text = methodText(provider, method);
    const isAlone = all.every(
      (each) => each.provider === provider || methodText(each.provider, each.method) !== text,
    );
    return isAlone || method === "" ? text : `${text} · ${providerText(provider)}`;
  };
  return (
    <div>
      <div className="mb-1.5 font-medium text-sm">{t("order.way")}</div>
      <Segmented
        label={t("order.way")}
        value={way?.key ?? ""}
        segments={all.map((each) => ({ value: each.key, label: wayText(each) }))}
        onChange={choose}
        className="w-fit"
      />
    </div>
  );
};
