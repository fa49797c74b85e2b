import { Link, useNavigate } from "@tanstack/react-router";
import { logIn, logOut, type SignInNeed, type SignInOutcome } from "@tollgate/contract/api/session";
import type { OfferedProvider } from "@tollgate/contract/api/status";
import type { User } from "@tollgate/contract/api/user";
import { SIGN_IN_METHODS, type SignInMethod } from "@tollgate/contract/sign-in/methods";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { LazyBoundary } from "../../components/lazy-boundary";
import { TextField } from "../../components/text-field";
import { notify } from "../../lib/notify";
import { rememberUser } from "../../lib/session";
import { systemName, useStatus } from "../../lib/status";
import { useAddress } from "../../lib/use-address";
import { useEndpoint } from "../../lib/use-endpoint";
import { AccountCard, SiteLead } from "./account-card";
import { readLoginSearch } from "./account-search";
import { openConsent } from "./open-consent";
import { PasskeyButton } from "./passkey-button";
import { SignInIcon } from "./sign-in-icon";

const loadSecondFactor = () => import("./second-factor-login");
const loadProviderButtons = () => import("./provider-buttons");
const loadTypedCodeLogin = () => import("./typed-code-login");

const DEFAULT_ROOT = { username: "root", password: "123456" };

const MethodButton = ({ method, onClick }: { method: SignInMethod; onClick: () => void }) => {
  const { t } = useTranslation();
  return (
    <Button
      className="w-full"
      aria-haspopup={method.entry.kind === "typed-code" ? "dialog" : undefined}
      onClick={onClick}
    >
      <SignInIcon method={method.name} />
      {t("login.by", { context: method.name, method: method.title })}
    </Button>
  );
};

const PasswordForm = ({ isBusy, onSubmit }: { isBusy: boolean; onSubmit: (form: FormData) => void }) => {
  const { t } = useTranslation();
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(new FormData(event.currentTarget));
      }}
    >
      <TextField
        label={t("account.username")}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <TextField
        label={t("account.password")}
        name="password"
        type="password"
        autoComplete="current-password"
        required
      />
      <Button type="submit" variant="primary" className="mt-1 h-10 w-full" isBusy={isBusy}>
        {t("login.submit")}
      </Button>
    </form>
  );
};

/** The sign-in methods besides the password. @param onUser signs in with a passkey; undefined where the site takes none alone. */
const Methods = ({
  methods,
  providers,
  onUser,
  onChoose,
}: {
  methods: readonly SignInMethod[];
  /** Those that root has added. */
  providers: readonly OfferedProvider[];
  onUser: ((user: User) => void) | undefined;
  onChoose: (method: SignInMethod) => void;
}) => {
  if (methods.length + providers.length === 0 && !onUser) return null;
  return (
    <div className="flex flex-col gap-2 border-line border-t pt-4">
      {onUser && <PasskeyButton onUser={onUser} />}
      {methods.map((method) => (
        <MethodButton key={method.name} method={method} onClick={() => onChoose(method)} />
      ))}
      {providers.length > 0 && (
        <LazyBoundary
          load={loadProviderButtons}
          with={{ providers }}
          fallback={providers.map(({ slug }) => <div key={slug} className="skeleton h-control w-full" />)}
          onMissing={() => undefined}
        />
      )}
    </div>
  );
};

/** Links for visitors without an account. */
const OtherPages = ({ hasPrices, hasKeys }: { hasPrices: boolean; hasKeys: boolean }) => {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-sm text-ink-2">
      <Link to="/reset" className="py-0.5 hover:text-ink hover:underline">
        {t("login.forgot")}
      </Link>
      <Link to="/register" className="py-0.5 hover:text-ink hover:underline">
        {t("login.noAccount")}
      </Link>
      {hasKeys && (
        <Link to="/key" className="py-0.5 hover:text-ink hover:underline">
          {t("login.keyPage")}
        </Link>
      )}
      {hasPrices && (
        <Link to="/pricing" className="py-0.5 hover:text-ink hover:underline">
          {t("login.prices")}
        </Link>
      )}
    </div>
  );
};

/** /login: by password, or by another account if the site offers it. */
export const LoginPage = () => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [{ expired, needs: needsFirst }] = useAddress(readLoginSearch);
  const [needs, setNeeds] = useState<SignInNeed | undefined>(needsFirst);
  const status = useStatus();
  const signIn = useEndpoint(logIn);
  const leave = useEndpoint(logOut, { isSilent: true });
  const [codeMethod, setCodeMethod] = useState<SignInMethod>();
  const methods = SIGN_IN_METHODS.filter((method) => status?.[method.switch.status]);

  const enter = (user: User, isDefaultRoot = false) => {
    rememberUser(user);
    notify.success(t("login.done"));
    if (isDefaultRoot) {
      notify.warning(t("login.defaultPassword"));
      void navigate({ to: "/user/edit" });
    } else {
      void navigate({ to: "/token" });
    }
  };

  const proceed = (outcome: SignInOutcome, isDefaultRoot = false) => {
    if ("user" in outcome) return enter(outcome.user, isDefaultRoot);
    setCodeMethod(undefined);
    setNeeds(outcome.needs);
  };

  const startAgain = () => {
    setNeeds(undefined);
    // The next person at this browser must not go on with it.
    leave.mutate({});
    void navigate({ to: "/login", replace: true });
  };

  const submit = (form: FormData) => {
    const body = { username: String(form.get("username")), password: String(form.get("password")) };
    if (body.username === "" || body.password === "") return;
    signIn.mutate(
      { body },
      {
        onSuccess: (outcome) =>
          proceed(
            outcome,
            body.username === DEFAULT_ROOT.username && body.password === DEFAULT_ROOT.password,
          ),
      },
    );
  };

  if (needs)
    return (
      <AccountCard title={t(`secondFactor.login.${needs}`)} lead={<SiteLead />}>
        <LazyBoundary
          load={loadSecondFactor}
          with={{ needs, onUser: (user: User) => enter(user), onBack: startAgain }}
          fallback={<div className="skeleton h-40 w-full" />}
          onMissing={() => setNeeds(undefined)}
        />
      </AccountCard>
    );
  return (
    <AccountCard title={t("login.title", { name: systemName() })} lead={<SiteLead />}>
      {expired && (
        <p role="alert" className="rounded-md bg-yellow-soft px-3 py-2 text-sm text-yellow">
          {t("login.expired")}
        </p>
      )}
      {status?.setup_pending && (
        <p role="status" className="rounded-md bg-accent-soft px-3 py-2 text-sm">
          {t("login.setupPending")}
        </p>
      )}
      <PasswordForm isBusy={signIn.isPending} onSubmit={submit} />
      {status && (
        <Methods
          methods={methods}
          onUser={status.passkey_login ? (user) => enter(user) : undefined}
          providers={status.sign_in_providers ?? []}
          onChoose={(method) =>
            method.entry.kind === "redirect" ? void openConsent(method, status) : setCodeMethod(method)
          }
        />
      )}
      <OtherPages hasPrices={status?.price_page === "public"} hasKeys={status?.key_page === true} />
      {status && codeMethod?.entry.kind === "typed-code" && (
        <LazyBoundary
          load={loadTypedCodeLogin}
          with={{
            method: codeMethod,
            picture: status[codeMethod.entry.picture],
            onClose: () => setCodeMethod(undefined),
            onOutcome: (outcome: SignInOutcome) => proceed(outcome),
          }}
          onMissing={() => setCodeMethod(undefined)}
        />
      )}
    </AccountCard>
  );
};
