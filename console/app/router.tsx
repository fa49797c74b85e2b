import { createRootRoute, createRoute, createRouter, notFound, redirect } from "@tanstack/react-router";
import { SIGN_IN_METHODS } from "@tollgate/contract/sign-in/methods";
import {
  readCallbackSearch,
  readInviteSearch,
  readLoginSearch,
  readResetSearch,
} from "../features/account/account-search";
import type { AuditSearch } from "../features/audit/audit-search";
import type { DashboardSearch } from "../features/dashboard/dashboard-search";
import type { LedgerSearch } from "../features/ledger/ledger-search";
import type { LogSearch } from "../features/logs/log-search";
import type { PlaygroundSearch } from "../features/playground/playground-search";
import type { ProfitSearch } from "../features/profit/profit-search";
import type { StatementSearch } from "../features/statements/statement-search";
import type { TermsSearch } from "../features/terms/terms-search";
import { type LazyPage, lazyPage } from "../lib/lazy-page";
import { readListSearch } from "../lib/list-search";
import { writeStored } from "../lib/local-store";
import { currentUser } from "../lib/session";
import { offeredProviders } from "../lib/status";
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

/** A page that guests may open, too. */
const openPage = <const Path extends string, Module extends object>(path: Path, ...page: LazyPage<Module>) =>
  createRoute({ ...open, path, component: lazyPage(...page) });

/** A page for logged-in users. */
const ownPage = <const Path extends string, Module extends object>(path: Path, ...page: LazyPage<Module>) =>
  createRoute({ ...own, path, component: lazyPage(...page) });

/** A page with a list, for logged-in users. */
const listPage = <const Path extends string, Module extends object>(path: Path, ...page: LazyPage<Module>) =>
  createRoute({ ...own, path, validateSearch: readListSearch, component: lazyPage(...page) });

const routeTree = root.addChildren([
  openPage("/", "HomePage", ["home", "announcements"], () => import("../features/home/home-page")),
  openPage(
    "/announcement",
    "AnnouncementPage",
    ["announcements"],
    () => import("../features/announcements/announcement-page"),
  ),
  createRoute({
    ...open,
    path: "/login",
    validateSearch: readLoginSearch,
    component: lazyPage("LoginPage", ["account"], () => import("../features/account/login-page")),
  }),
  openPage("/setup", "SetupPage", ["account"], () => import("../features/account/setup-page")),
  createRoute({
    ...open,
    path: "/register",
    validateSearch: readInviteSearch,
    // Stores the invitation even if the visitor looks around before registering.
    beforeLoad: ({ search }) => {
      if (search.aff) writeStored("aff", search.aff);
    },
    component: lazyPage("RegisterPage", ["account"], () => import("../features/account/register-page")),
  }),
  openPage("/reset", "ResetRequestPage", ["account"], () => import("../features/account/reset-request-page")),
  createRoute({
    ...open,
    path: "/user/reset",
    validateSearch: readResetSearch,
    component: lazyPage(
      "ResetConfirmPage",
      ["account"],
      () => import("../features/account/reset-confirm-page"),
    ),
  }),
  createRoute({
    ...open,
    path: "/oauth/$method",
    beforeLoad: ({ params: { method } }) => {
      const redirects = SIGN_IN_METHODS.some(
        ({ name, entry }) => name === method && entry.kind === "redirect",
      );
      if (!redirects && !offeredProviders().some(({ slug }) => slug === method)) throw notFound();
    },
    validateSearch: readCallbackSearch,
    component: lazyPage(
      "OauthCallbackPage",
      ["account"],
      () => import("../features/account/oauth-callback-page"),
    ),
  }),
  openPage(
    "/status",
    "ModelStatusPage",
    ["model-status", "usage"],
    () => import("../features/model-status/model-status-page"),
  ),
  openPage("/key", "KeyPage", ["key-page", "limits"], () => import("../features/api-key-lookup/key-page")),
  openPage("/about", "AboutPage", ["home"], () => import("../features/home/about-page")),
  createRoute({
    ...open,
    path: "/user-agreement",
    validateSearch: readByPage<TermsSearch>,
    component: lazyPage("UserAgreementPage", ["terms", "home"], () => import("../features/terms/terms-page")),
  }),
  createRoute({
    ...open,
    path: "/privacy-policy",
    validateSearch: readByPage<TermsSearch>,
    component: lazyPage("PrivacyPolicyPage", ["terms", "home"], () => import("../features/terms/terms-page")),
  }),
  openPage(
    "/model/$name",
    "ModelPage",
    ["tokens", "detail", "usage", "pricing"],
    () => import("./model-page"),
  ),
  openPage("/pricing", "PricingPage", ["pricing"], () => import("../features/pricing/pages")),
  openPage("/chat", "ChatPage", ["home"], () => import("../features/home/chat-page")),
  guarded.addChildren([
    createRoute({
      ...own,
      path: "/dashboard",
      validateSearch: readByPage<DashboardSearch>,
      component: lazyPage(
        "DashboardPage",
        ["dashboard", "usage"],
        () => import("../features/dashboard/dashboard-page"),
      ),
    }),
    ownPage(
      "/cockpit",
      "CockpitPage",
      ["cockpit", "usage"],
      () => import("../features/cockpit/cockpit-page"),
    ),
    listPage(
      "/channel",
      "ChannelListPage",
      ["channels"],
      () => import("../features/channels/channel-list-page"),
    ),
    ownPage(
      "/channel/$id",
      "ChannelPage",
      ["channels", "limits", "detail", "usage"],
      () => import("./channel-page"),
    ),
    ownPage(
      "/channel/comparison",
      "ComparisonPage",
      ["channels", "comparison"],
      () => import("../features/channels/comparison/comparison-page"),
    ),
    ownPage(
      "/channel/add",
      "AddChannelPage",
      ["channels", "channel-form"],
      () => import("../features/channels/channel-form-page"),
    ),
    ownPage(
      "/channel/edit/$id",
      "EditChannelPage",
      ["channels", "channel-form"],
      () => import("../features/channels/channel-form-page"),
    ),
    listPage(
      "/token",
      "ApiKeyListPage",
      ["tokens", "groups"],
      () => import("../features/api-keys/api-key-list-page"),
    ),
    ownPage(
      "/token/$id",
      "ApiKeyPage",
      ["tokens", "limits", "groups", "detail", "usage"],
      () => import("./api-key-page"),
    ),
    ownPage(
      "/token/add",
      "AddApiKeyPage",
      ["tokens", "limits", "groups"],
      () => import("../features/api-keys/api-key-form-page"),
    ),
    ownPage(
      "/token/edit/$id",
      "EditApiKeyPage",
      ["tokens", "limits", "groups"],
      () => import("../features/api-keys/api-key-form-page"),
    ),
    ownPage("/token/connect", "ConnectPage", ["tokens"], () => import("../features/api-keys/connect-page")),
    listPage(
      "/redemption",
      "RedemptionListPage",
      ["redemptions"],
      () => import("../features/redemptions/redemption-list-page"),
    ),
    ownPage(
      "/redemption/add",
      "AddRedemptionPage",
      ["redemptions", "limits"],
      () => import("../features/redemptions/redemption-form-page"),
    ),
    ownPage(
      "/redemption/edit/$id",
      "EditRedemptionPage",
      ["redemptions", "limits"],
      () => import("../features/redemptions/redemption-form-page"),
    ),
    listPage(
      "/promotion",
      "PromotionListPage",
      ["promotions"],
      () => import("../features/promotions/promotion-list-page"),
    ),
    ownPage(
      "/promotion/add",
      "AddPromotionPage",
      ["promotions", "limits"],
      () => import("../features/promotions/promotion-form-page"),
    ),
    ownPage(
      "/promotion/edit/$id",
      "EditPromotionPage",
      ["promotions", "limits"],
      () => import("../features/promotions/promotion-form-page"),
    ),
    listPage("/user", "UserListPage", ["users"], () => import("../features/users/user-list-page")),
    ownPage("/user/$id", "UserPage", ["users", "limits", "detail", "usage"], () => import("./user-page")),
    ownPage("/user/add", "AddUserPage", ["users"], () => import("../features/users/add-user-page")),
    ownPage("/user/edit", "EditSelfPage", ["users"], () => import("../features/users/edit-self-page")),
    ownPage(
      "/user/edit/$id",
      "EditUserPage",
      ["users", "permissions", "limits"],
      () => import("../features/users/edit-user-page"),
    ),
    createRoute({
      ...own,
      path: "/topup",
      validateSearch: readByPage<{ plan?: number }>,
      component: lazyPage("TopupPage", ["orders"], () => import("../features/orders/topup-page")),
    }),
    ownPage("/order", "OrderListPage", ["orders"], () => import("../features/orders/topup-page")),
    ownPage("/order/$number", "OrderPage", ["orders", "detail"], () => import("./order-page")),
    ownPage("/plan", "PlanPage", ["plans", "limits"], () => import("../features/plans/plan-page")),
    listPage("/plan/manage", "PlanListPage", ["plans"], () => import("../features/plans/plan-list-page")),
    ownPage(
      "/plan/manage/add",
      "AddPlanPage",
      ["plans", "limits"],
      () => import("../features/plans/plan-form-page"),
    ),
    ownPage(
      "/plan/manage/edit/$id",
      "EditPlanPage",
      ["plans", "limits"],
      () => import("../features/plans/plan-form-page"),
    ),
    listPage(
      "/plan/subscribers",
      "SubscriptionListPage",
      ["plans"],
      () => import("../features/plans/subscription-list-page"),
    ),
    createRoute({
      ...own,
      path: "/log",
      validateSearch: readByPage<LogSearch>,
      component: lazyPage("LogPage", ["logs", "usage"], () => import("./log-page")),
    }),
    ownPage(
      "/invitation",
      "InvitationPage",
      ["invitations", "limits"],
      () => import("../features/invitations/invitation-page"),
    ),
    ownPage(
      "/invitation/manage",
      "ManageInvitationsPage",
      ["invitations"],
      () => import("../features/invitations/manage-page"),
    ),
    listPage("/invoice", "InvoicePage", ["invoices"], () => import("../features/invoices/invoice-page")),
    listPage(
      "/invoice/manage",
      "ManageInvoicesPage",
      ["invoices", "detail"],
      () => import("../features/invoices/manage-page"),
    ),
    listPage("/ticket", "TicketListPage", ["tickets"], () => import("../features/tickets/ticket-list-page")),
    createRoute({
      ...own,
      path: "/ticket/add",
      validateSearch: readByPage<{ request?: string }>,
      component: lazyPage("AddTicketPage", ["tickets"], () => import("../features/tickets/add-ticket-page")),
    }),
    ownPage("/ticket/$id", "OwnTicketPage", ["tickets"], () => import("./ticket-page")),
    listPage(
      "/ticket/manage",
      "ManageTicketsPage",
      ["tickets"],
      () => import("../features/tickets/manage-page"),
    ),
    ownPage("/ticket/manage/$id", "ManagedTicketPage", ["tickets"], () => import("./ticket-page")),
    createRoute({
      ...own,
      path: "/ledger",
      validateSearch: readByPage<LedgerSearch>,
      component: lazyPage("LedgerListPage", ["ledger"], () => import("../features/ledger/ledger-list-page")),
    }),
    ownPage(
      "/start",
      "StartPage",
      ["quick-start", "channels", "channel-form", "tokens"],
      () => import("../features/channels/start/start-page"),
    ),
    createRoute({
      ...own,
      path: "/audit",
      validateSearch: readByPage<AuditSearch>,
      component: lazyPage("AuditPage", ["audit"], () => import("../features/audit/audit-page")),
    }),
    createRoute({
      ...own,
      path: "/statement",
      validateSearch: readByPage<StatementSearch>,
      component: lazyPage(
        "StatementPage",
        ["statements", "ledger"],
        () => import("../features/statements/statement-page"),
      ),
    }),
    createRoute({
      ...own,
      path: "/playground",
      validateSearch: readByPage<PlaygroundSearch>,
      component: lazyPage(
        "PlaygroundPage",
        ["playground"],
        () => import("../features/playground/playground-page"),
      ),
    }),
    ownPage(
      "/log/receipt/$requestId",
      "ReceiptPage",
      ["receipts"],
      () => import("../features/receipts/receipt-page"),
    ),
    ownPage(
      "/permission",
      "PermissionSetsPage",
      ["permissions"],
      () => import("../features/permissions/permission-sets-page"),
    ),
    ownPage(
      "/permission/add",
      "AddPermissionSetPage",
      ["permissions"],
      () => import("../features/permissions/permission-set-form-page"),
    ),
    ownPage(
      "/permission/edit/$set",
      "EditPermissionSetPage",
      ["permissions"],
      () => import("../features/permissions/permission-set-form-page"),
    ),
    listPage("/node", "NodeListPage", ["nodes"], () => import("../features/nodes/node-list-page")),
    createRoute({
      ...own,
      path: "/setting",
      validateSearch: readByPage<{ tab?: string; option?: string }>,
      component: lazyPage(
        "SettingPage",
        ["settings", "json-table", "account", "notices", "limits", "sign-in-providers"],
        () => import("./setting-page"),
      ),
    }),
    ownPage(
      "/channel/buying/$id",
      "BuyingPage",
      ["channels", "buying", "json-table"],
      () => import("../features/channels/buying-page"),
    ),
    ownPage(
      "/reconciliation",
      "ReconciliationPage",
      ["reconciliation"],
      () => import("../features/reconciliation/reconciliation-page"),
    ),
    createRoute({
      ...own,
      path: "/profit",
      validateSearch: readByPage<ProfitSearch>,
      component: lazyPage("ProfitPage", ["profit", "usage"], () => import("../features/profit/profit-page")),
    }),
    ownPage("/pricing/rules", "PriceRulesPage", ["pricing"], () => import("../features/pricing/pages")),
    listPage(
      "/setting/announcements",
      "AnnouncementListPage",
      ["announcements"],
      () => import("../features/announcements/announcement-list-page"),
    ),
    ownPage(
      "/setting/announcements/add",
      "AddAnnouncementPage",
      ["announcements"],
      () => import("../features/announcements/announcement-form-page"),
    ),
    ownPage(
      "/setting/announcements/edit/$id",
      "EditAnnouncementPage",
      ["announcements"],
      () => import("../features/announcements/announcement-form-page"),
    ),
    listPage("/setting/terms", "TermsListPage", ["terms"], () => import("../features/terms/terms-list-page")),
    ownPage(
      "/setting/terms/add",
      "AddTermsPage",
      ["terms"],
      () => import("../features/terms/terms-form-page"),
    ),
    ownPage(
      "/setting/errors",
      "ErrorRulesPage",
      ["error-rules", "channels"],
      () => import("../features/settings/error-rules/error-rules-page"),
    ),
    createRoute({
      ...own,
      path: "/setting/prices",
      validateSearch: readByPage<{ tab?: string }>,
      component: lazyPage("PricePage", ["prices", "profit"], () => import("../features/prices/price-page")),
    }),
    createRoute({
      ...own,
      path: "/pricing/rehearsal",
      validateSearch: readByPage<{ draft?: string }>,
      component: lazyPage(
        "RehearsalPage",
        ["rehearsal", "settings", "json-table"],
        () => import("../features/rehearsal/rehearsal-page"),
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
