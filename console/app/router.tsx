import { createRootRoute, createRoute, createRouter, notFound, redirect } from "@tanstack/react-router";
import { SIGN_IN_METHODS } from "@tollgate/contract/sign-in/methods";
import {
  readCallbackSearch,
  readInviteSearch,
  readLoginSearch,
  readResetSearch,
} from "../features/account/account-search";
import type { AuditSearch } from "../features/audit/audit-search";
import type { LedgerSearch } from "../features/ledger/ledger-search";
import type { LogSearch } from "../features/logs/log-search";
import type { StatementSearch } from "../features/statements/statement-search";
import { lazyPage } from "../lib/lazy-page";
import { readListSearch } from "../lib/list-search";
import { writeStored } from "../lib/local-store";
import { currentUser } from "../lib/session";
import { Frame } from "./frame";
import { NotFoundPage } from "./not-found-page";
import { PageBroken } from "./page-broken";
import { PagePending } from "./page-pending";

/**
 * The page parses its address itself (lib/use-address.ts), with a parser in its own file: this only types the links.
 */
const readByPage = <Search extends object>(search: Record<string, unknown>): Search => search as Search;

const root = createRootRoute({ component: Frame, notFoundComponent: NotFoundPage });
const open = { getParentRoute: () => root };

/** Pages for logged-in users: others are redirected to the login page, with the requested address. */
const guarded = createRoute({
  ...open,
  id: "guarded",
  beforeLoad: ({ location }) => {
    if (!currentUser()) throw redirect({ to: "/login", state: { from: location.href } });
  },
});
const own = { getParentRoute: () => guarded };

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The address that the login guard redirected from. */
    from?: string;
    /** Name of the row just added by a form. */
    newRow?: string;
  }
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}

const routeTree = root.addChildren([
  createRoute({
    ...open,
    path: "/",
    component: lazyPage(() => import("../features/home/home-page"), "HomePage", "home", "announcements"),
  }),
  createRoute({
    ...open,
    path: "/announcement",
    component: lazyPage(
      () => import("../features/announcements/announcement-page"),
      "AnnouncementPage",
      "announcements",
    ),
  }),
  createRoute({
    ...open,
    path: "/login",
    validateSearch: readLoginSearch,
    component: lazyPage(() => import("../features/account/login-page"), "LoginPage", "account"),
  }),
  createRoute({
    ...open,
    path: "/setup",
    component: lazyPage(() => import("../features/account/setup-page"), "SetupPage", "account"),
  }),
  createRoute({
    ...open,
    path: "/register",
    validateSearch: readInviteSearch,
    // Stores the invitation even if the visitor looks around before registering.
    beforeLoad: ({ search }) => {
      if (search.aff) writeStored("aff", search.aff);
    },
    component: lazyPage(() => import("../features/account/register-page"), "RegisterPage", "account"),
  }),
  createRoute({
    ...open,
    path: "/reset",
    component: lazyPage(
      () => import("../features/account/reset-request-page"),
      "ResetRequestPage",
      "account",
    ),
  }),
  createRoute({
    ...open,
    path: "/user/reset",
    validateSearch: readResetSearch,
    component: lazyPage(
      () => import("../features/account/reset-confirm-page"),
      "ResetConfirmPage",
      "account",
    ),
  }),
  createRoute({
    ...open,
    path: "/oauth/$method",
    beforeLoad: ({ params: { method } }) => {
      if (!SIGN_IN_METHODS.some(({ name, entry }) => name === method && entry.kind === "redirect"))
        throw notFound();
    },
    validateSearch: readCallbackSearch,
    component: lazyPage(
      () => import("../features/account/oauth-callback-page"),
      "OauthCallbackPage",
      "account",
    ),
  }),
  createRoute({
    ...open,
    path: "/status",
    component: lazyPage(
      () => import("../features/model-status/model-status-page"),
      "ModelStatusPage",
      "model-status",
    ),
  }),
  createRoute({
    ...open,
    path: "/about",
    component: lazyPage(() => import("../features/home/about-page"), "AboutPage", "home"),
  }),
  createRoute({
    ...open,
    path: "/pricing",
    component: lazyPage(() => import("../features/pricing/pages"), "PricingPage", "pricing"),
  }),
  createRoute({
    ...open,
    path: "/chat",
    component: lazyPage(() => import("../features/home/chat-page"), "ChatPage", "home"),
  }),
  guarded.addChildren([
    createRoute({
      ...own,
      path: "/dashboard",
      component: lazyPage(
        () => import("../features/dashboard/dashboard-page"),
        "DashboardPage",
        "dashboard",
        "usage",
      ),
    }),
    createRoute({
      ...own,
      path: "/cockpit",
      component: lazyPage(
        () => import("../features/cockpit/cockpit-page"),
        "CockpitPage",
        "cockpit",
        "usage",
      ),
    }),
    createRoute({
      ...own,
      path: "/channel",
      validateSearch: readListSearch,
      component: lazyPage(
        () => import("../features/channels/channel-list-page"),
        "ChannelListPage",
        "channels",
      ),
    }),
    createRoute({
      ...own,
      path: "/channel/$id",
      component: lazyPage(
        () => import("./detail-pages"),
        "ChannelPage",
        "channels",
        "limits",
        "detail",
        "usage",
      ),
    }),
    createRoute({
      ...own,
      path: "/channel/add",
      component: lazyPage(
        () => import("../features/channels/channel-form-page"),
        "AddChannelPage",
        "channels",
        "channel-form",
      ),
    }),
    createRoute({
      ...own,
      path: "/channel/edit/$id",
      component: lazyPage(
        () => import("../features/channels/channel-form-page"),
        "EditChannelPage",
        "channels",
        "channel-form",
      ),
    }),
    createRoute({
      ...own,
      path: "/token",
      validateSearch: readListSearch,
      component: lazyPage(
        () => import("../features/tokens/token-list-page"),
        "TokenListPage",
        "tokens",
        "groups",
      ),
    }),
    createRoute({
      ...own,
      path: "/token/$id",
      component: lazyPage(
        () => import("./detail-pages"),
        "TokenPage",
        "tokens",
        "limits",
        "groups",
        "detail",
        "usage",
      ),
    }),
    createRoute({
      ...own,
      path: "/model/$name",
      component: lazyPage(() => import("./detail-pages"), "ModelPage", "tokens", "detail", "usage"),
    }),
    createRoute({
      ...own,
      path: "/token/add",
      component: lazyPage(
        () => import("../features/tokens/token-form-page"),
        "AddTokenPage",
        "tokens",
        "limits",
        "groups",
      ),
    }),
    createRoute({
      ...own,
      path: "/token/edit/$id",
      component: lazyPage(
        () => import("../features/tokens/token-form-page"),
        "EditTokenPage",
        "tokens",
        "limits",
        "groups",
      ),
    }),
    createRoute({
      ...own,
      path: "/token/connect",
      component: lazyPage(() => import("../features/tokens/connect-page"), "ConnectPage", "tokens"),
    }),
    createRoute({
      ...own,
      path: "/redemption",
      validateSearch: readListSearch,
      component: lazyPage(
        () => import("../features/redemptions/redemption-list-page"),
        "RedemptionListPage",
        "redemptions",
      ),
    }),
    createRoute({
      ...own,
      path: "/redemption/add",
      component: lazyPage(
        () => import("../features/redemptions/redemption-form-page"),
        "AddRedemptionPage",
        "redemptions",
        "limits",
      ),
    }),
    createRoute({
      ...own,
      path: "/redemption/edit/$id",
      component: lazyPage(
        () => import("../features/redemptions/redemption-form-page"),
        "EditRedemptionPage",
        "redemptions",
        "limits",
      ),
    }),
    createRoute({
      ...own,
      path: "/user",
      validateSearch: readListSearch,
      component: lazyPage(() => import("../features/users/user-list-page"), "UserListPage", "users"),
    }),
    createRoute({
      ...own,
      path: "/user/$id",
      component: lazyPage(() => import("./detail-pages"), "UserPage", "users", "limits", "detail", "usage"),
    }),
    createRoute({
      ...own,
      path: "/user/add",
      component: lazyPage(() => import("../features/users/add-user-page"), "AddUserPage", "users"),
    }),
    createRoute({
      ...own,
      path: "/user/edit",
      component: lazyPage(() => import("../features/users/edit-self-page"), "EditSelfPage", "users"),
    }),
    createRoute({
      ...own,
      path: "/user/edit/$id",
      component: lazyPage(
        () => import("../features/users/edit-user-page"),
        "EditUserPage",
        "users",
        "limits",
      ),
    }),
    createRoute({
      ...own,
      path: "/topup",
      component: lazyPage(() => import("../features/orders/topup-page"), "TopupPage", "orders"),
    }),
    createRoute({
      ...own,
      path: "/order",
      component: lazyPage(() => import("../features/orders/topup-page"), "OrderListPage", "orders"),
    }),
    createRoute({
      ...own,
      path: "/order/$number",
      component: lazyPage(() => import("./order-page"), "OrderPage", "orders", "detail"),
    }),
    createRoute({
      ...own,
      path: "/plan",
      component: lazyPage(() => import("../features/plans/plan-page"), "PlanPage", "plans"),
    }),
    createRoute({
      ...own,
      path: "/plan/manage",
      validateSearch: readListSearch,
      component: lazyPage(() => import("../features/plans/plan-list-page"), "PlanListPage", "plans"),
    }),
    createRoute({
      ...own,
      path: "/plan/manage/add",
      component: lazyPage(() => import("../features/plans/plan-form-page"), "AddPlanPage", "plans", "limits"),
    }),
    createRoute({
      ...own,
      path: "/plan/manage/edit/$id",
      component: lazyPage(
        () => import("../features/plans/plan-form-page"),
        "EditPlanPage",
        "plans",
        "limits",
      ),
    }),
    createRoute({
      ...own,
      path: "/plan/subscribers",
      validateSearch: readListSearch,
      component: lazyPage(
        () => import("../features/plans/subscription-list-page"),
        "SubscriptionListPage",
        "plans",
      ),
    }),
    createRoute({
      ...own,
      path: "/log",
      validateSearch: readByPage<LogSearch>,
      component: lazyPage(() => import("./log-page"), "LogPage", "logs", "usage"),
    }),
    createRoute({
      ...own,
      path: "/invitation",
      component: lazyPage(
        () => import("../features/invitations/invitation-page"),
        "InvitationPage",
        "invitations",
        "limits",
      ),
    }),
    createRoute({
      ...own,
      path: "/invitation/manage",
      component: lazyPage(
        () => import("../features/invitations/manage-page"),
        "ManageInvitationsPage",
        "invitations",
      ),
    }),
    createRoute({
      ...own,
      path: "/ledger",
      validateSearch: readByPage<LedgerSearch>,
      component: lazyPage(() => import("../features/ledger/ledger-list-page"), "LedgerListPage", "ledger"),
    }),
    createRoute({
      ...own,
      path: "/start",
      component: lazyPage(
        () => import("../features/channels/start/start-page"),
        "StartPage",
        "quick-start",
        "channels",
        "channel-form",
        "tokens",
      ),
    }),
    createRoute({
      ...own,
      path: "/audit",
      validateSearch: readByPage<AuditSearch>,
      component: lazyPage(() => import("../features/audit/audit-page"), "AuditPage", "audit"),
    }),
    createRoute({
      ...own,
      path: "/statement",
      validateSearch: readByPage<StatementSearch>,
      component: lazyPage(
        () => import("../features/statements/statement-page"),
        "StatementPage",
        "statements",
        "ledger",
      ),
    }),
    createRoute({
      ...own,
      path: "/log/receipt/$requestId",
      component: lazyPage(() => import("../features/receipts/receipt-page"), "ReceiptPage", "receipts"),
    }),
    createRoute({
      ...own,
      path: "/node",
      validateSearch: readListSearch,
      component: lazyPage(() => import("../features/nodes/node-list-page"), "NodeListPage", "nodes"),
    }),
    createRoute({
      ...own,
      path: "/setting",
      validateSearch: readByPage<{ tab?: string }>,
      component: lazyPage(
        () => import("./setting-page"),
        "SettingPage",
        "settings",
        "json-table",
        "account",
        "notices",
        "limits",
      ),
    }),
    createRoute({
      ...own,
      path: "/channel/buying/$id",
      component: lazyPage(
        () => import("../features/channels/buying-page"),
        "BuyingPage",
        "channels",
        "buying",
        "json-table",
      ),
    }),
    createRoute({
      ...own,
      path: "/reconciliation",
      component: lazyPage(
        () => import("../features/reconciliation/reconciliation-page"),
        "ReconciliationPage",
        "reconciliation",
      ),
    }),
    createRoute({
      ...own,
      path: "/profit",
      component: lazyPage(() => import("../features/profit/profit-page"), "ProfitPage", "profit", "usage"),
    }),
    createRoute({
      ...own,
      path: "/pricing/rules",
      component: lazyPage(() => import("../features/pricing/pages"), "PriceRulesPage", "pricing"),
    }),
    createRoute({
      ...own,
      path: "/setting/announcements",
      validateSearch: readListSearch,
      component: lazyPage(
        () => import("../features/announcements/announcement-list-page"),
        "AnnouncementListPage",
        "announcements",
      ),
    }),
    createRoute({
      ...own,
      path: "/setting/announcements/add",
      component: lazyPage(
        () => import("../features/announcements/announcement-form-page"),
        "AddAnnouncementPage",
        "announcements",
      ),
    }),
    createRoute({
      ...own,
      path: "/setting/announcements/edit/$id",
      component: lazyPage(
        () => import("../features/announcements/announcement-form-page"),
        "EditAnnouncementPage",
        "announcements",
      ),
    }),
    createRoute({
      ...own,
      path: "/setting/prices",
      validateSearch: readByPage<{ tab?: string }>,
      component: lazyPage(() => import("../features/prices/price-page"), "PricePage", "prices", "profit"),
    }),
    createRoute({
      ...own,
      path: "/pricing/rehearsal",
      component: lazyPage(
        () => import("../features/rehearsal/rehearsal-page"),
        "RehearsalPage",
        "rehearsal",
        "settings",
        "json-table",
      ),
    }),
  ]),
]);

/** The pages and their addresses. Search parameters are plain text, so that handwritten links work. */
export const createConsoleRouter = () =>
  createRouter({
    routeTree,
    defaultPreload: "intent",
    defaultPendingComponent: PagePending,
    defaultPendingMs: 300,
    defaultErrorComponent: PageBroken,
    scrollRestoration: true,
    scrollToTopSelectors: ["[data-rows]"],
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const parameters = new URLSearchParams();
      for (const [name, value] of Object.entries(search)) {
        if (value !== undefined && value !== "") parameters.set(name, String(value));
      }
      const written = parameters.toString();
      return written === "" ? "" : `?${written}`;
    },
  });
