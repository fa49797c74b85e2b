import { useNavigate } from "@tanstack/react-router";
import type { Announcement } from "@tollgate/contract/api/announcements";
import type { ApiKey } from "@tollgate/contract/api/api-keys";
import type { Channel } from "@tollgate/contract/api/channels";
import type { Plan, ShownSubscription } from "@tollgate/contract/api/plans";
import type { Promotion } from "@tollgate/contract/api/promotions";
import type { Redemption } from "@tollgate/contract/api/redemptions";
import type { User } from "@tollgate/contract/api/user";
import type { PriceDraftSummary } from "@tollgate/contract/management/price-draft";
import type { PriceRuleWire } from "@tollgate/contract/management/price-rule";
import type { ReconciliationSummary } from "@tollgate/contract/management/reconciliation";
import { useEffect } from "react";
import type { RowAction } from "../components/row-actions";
import { useAnnouncementActions } from "../features/announcements/announcement-actions";
import { useApiKeyActions } from "../features/api-keys/api-key-actions";
import { useChannelActions } from "../features/channels/channel-actions";
import { usePlanActions } from "../features/plans/plan-actions";
import { useSubscriptionActions } from "../features/plans/subscription-actions";
import { usePriceRuleActions } from "../features/pricing/price-rule-actions";
import { usePromotionActions } from "../features/promotions/promotion-actions";
import { useReconciliationActions } from "../features/reconciliation/reconciliation-actions";
import { useRedemptionActions } from "../features/redemptions/redemption-actions";
import { useDraftActions } from "../features/rehearsal/draft-actions";
import { useUserActions } from "../features/users/user-actions";
import { notify } from "../lib/notify";

/** A row of a list whose actions the command menu offers, too. */
export type ActedRow =
  | { kind: "announcement"; row: Announcement }
  | { kind: "channel"; row: Channel }
  | { kind: "code"; row: Redemption }
  | { kind: "draft"; row: PriceDraftSummary }
  | { kind: "plan"; row: Plan }
  | { kind: "promotion"; row: Promotion }
  | { kind: "reconciliation"; row: ReconciliationSummary }
  | { kind: "rule"; row: PriceRuleWire }
  | { kind: "subscription"; row: ShownSubscription }
  | { kind: "token"; row: ApiKey }
  | { kind: "user"; row: User };

/** Receives a row's actions whenever they may have changed. */
export type Declare = (actions: readonly RowAction[]) => void;

interface DeclaredProps<Row> {
  row: Row;
  /** The hook of the row's list. */
  useActions: (row: Row) => readonly RowAction[];
  declare: Declare;
}

/**
 * Hands over the actions of a row. Rows come and go, and their actions are a hook of each row: only a component can call
 * it.
 */
const Declared = <Row,>({ row, useActions, declare }: DeclaredProps<Row>) => {
  const actions = useActions(row);
  useEffect(() => declare(actions));
  return null;
};

/** A clipboard that refuses a text shows it instead. */
const show = (text: string) => notify.info(text);

const useCodeActions = (redemption: Redemption) => useRedemptionActions({ redemption, onShowCode: show });

const usePromotedActions = (promotion: Promotion) => usePromotionActions({ promotion, onShowCode: show });

const useRuleActions = (row: PriceRuleWire) => {
  const navigate = useNavigate();
  const href = `/pricing/rules?rule=${encodeURIComponent(row.name)}`;
  return usePriceRuleActions({ row, onEdit: () => void navigate({ href }) });
};

const useKeyActions = (token: ApiKey) => {
  const navigate = useNavigate();
  return useApiKeyActions({
    token,
    onShowKey: show,
    onConnect: () => void navigate({ href: `/token/connect?id=${token.id}` }),
    onRotate: () => void navigate({ href: `/token/${token.id}?rotate=true` }),
  });
};

/** Hands over the actions of a row as its list has them; shows nothing. */
export const RecordActions = ({ acted, declare }: { acted: ActedRow; declare: Declare }) => {
  switch (acted.kind) {
    case "announcement":
      return <Declared row={acted.row} useActions={useAnnouncementActions} declare={declare} />;
    case "channel":
      return <Declared row={acted.row} useActions={useChannelActions} declare={declare} />;
    case "code":
      return <Declared row={acted.row} useActions={useCodeActions} declare={declare} />;
    case "draft":
      return <Declared row={acted.row} useActions={useDraftActions} declare={declare} />;
    case "plan":
      return <Declared row={acted.row} useActions={usePlanActions} declare={declare} />;
    case "promotion":
      return <Declared row={acted.row} useActions={usePromotedActions} declare={declare} />;
    case "reconciliation":
      return <Declared row={acted.row} useActions={useReconciliationActions} declare={declare} />;
    case "rule":
      return <Declared row={acted.row} useActions={useRuleActions} declare={declare} />;
    case "subscription":
      return <Declared row={acted.row} useActions={useSubscriptionActions} declare={declare} />;
    case "token":
      return <Declared row={acted.row} useActions={useKeyActions} declare={declare} />;
    case "user":
      return <Declared row={acted.row} useActions={useUserActions} declare={declare} />;
  }
};
