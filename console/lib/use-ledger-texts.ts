import { LEDGER_ACCOUNTS, LEDGER_CAUSES } from "@tollgate/contract/records/ledger-entry";
import { PLAN_ORDER_FAULTS } from "@tollgate/contract/records/order-record";
import { useTranslation } from "react-i18next";

/** Names of causes and accounts; unknown ones from a newer server keep their raw name. */
export const useLedgerTexts = () => {
  const { t } = useTranslation();
  return {
    causeText(cause: string): string {
      const known = LEDGER_CAUSES.find((each) => each === cause);
      return known ? t(`ledger.causes.${known}`) : cause;
    },
    /** Why a paid plan did not begin. */
    planFaultText(fault: string): string {
      const known = PLAN_ORDER_FAULTS.find((each) => each === fault);
      return known ? t(`ledger.planFault.${known}`) : fault;
    },
    accountText(account: string): string {
      const known = LEDGER_ACCOUNTS.find((each) => each === account);
      return known ? t(`ledger.accounts.${known}`) : account;
    },
  };
};
