import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { getInviteCode, replaceAccessToken } from "@tollgate/contract/api/own-account";
import { SIGN_IN_METHODS, type SignInMethod } from "@tollgate/contract/sign-in/methods";
import { CONTRACT_VERSION, SHOWN_VERSION } from "@tollgate/contract/version";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonVariants } from "../../components/button";
import { LazyBoundary } from "../../components/lazy-boundary";
import { SettingCard, SettingRow, SettingRows } from "../../components/setting-card";
import { writeClipboard } from "../../lib/copy";
import { notify } from "../../lib/notify";
import { selfQuery } from "../../lib/self";
import { useSession } from "../../lib/session";
import { useStatus } from "../../lib/status";
import { useEndpoint } from "../../lib/use-endpoint";
import { useGetLatestRelease } from "./get-latest-release";
import { isNewer } from "./is-newer";
import { ManagementKeysRow } from "./management-keys-row";
import { openConsent } from "./open-consent";
import { ProviderBindings, UnbindMethod } from "./own-identities";
import { PasskeyRow } from "./passkey-row";
import { SecondFactorRow } from "./second-factor-row";
import { SessionList } from "./session-list";

const loadEmailBinding = () => import("./email-binding");
const loadTypedCodeBinding = () => import("./typed-code-binding");
const loadSelfDeletion = () => import("./self-deletion");
const loadReleaseWindow = () => import("./release-window");

/** Copies and reports it in the action's own words. If the clipboard refuses, the text is also on the page. */
const copyAndSay = async (text: string, done: string, failed: string): Promise<void> => {
  if (await writeClipboard(text)) notify.success(done);
  else notify.warning(failed);
};

/** The settings of one's own account. @param children settings of other features, shown above the rarely used ones. */
const PersonalSettings = ({ children }: { children?: ReactNode }) => {
  const { t } = useTranslation();
  return (
    <>
      <SettingCard id="section-profile" title={t("personal.section.profile")}>
        <SettingRows>
          <SettingRow
            name={t("personal.account")}
            text={t("personal.accountText")}
            action={
              <Link to="/user/edit" className={buttonVariants()}>
                {t("personal.accountEdit")}
              </Link>
            }
          />
          <InviteLink />
        </SettingRows>
      </SettingCard>
      <SettingCard id="section-security" title={t("personal.section.security")}>
        <SettingRows>
          <SecondFactorRow />
          <PasskeyRow />
          <AccessToken />
          <ManagementKeysRow />
          <SessionList />
        </SettingRows>
      </SettingCard>
      <Bindings />
      {children}
      <SettingCard id="section-own" title={t("personal.section.other")}>
        <SettingRows>
          <Updates />
          <Deletion />
        </SettingRows>
      </SettingCard>
    </>
  );
};

/** A text to copy, selected by a click. */
const ShownText = ({ label, text }: { label: string; text: string }) => (
  <input
    readOnly
    aria-label={label}
    value={text}
    onFocus={(event) => event.currentTarget.select()}
    className="control bg-sunken font-mono text-sm"
  />
);

const AccessToken = () => {
  const { t } = useTranslation();
  const generate = useEndpoint(replaceAccessToken);
  return (
    <SettingRow
      name={t("personal.token")}
      text={t("personal.tokenText")}
      action={
        <Button
          isBusy={generate.isPending}
          onClick={() =>
            generate.mutate(
              {},
              {
                onSuccess: (token = "") =>
                  void copyAndSay(token, t("personal.tokenCopied"), t("copy.failed")),
              },
            )
          }
        >
          {t("personal.tokenGenerate")}
        </Button>
      }
    >
      {generate.data && <ShownText label={t("personal.token")} text={generate.data} />}
    </SettingRow>
  );
};

const InviteLink = () => {
  const { t } = useTranslation();
  const invite = useEndpoint(getInviteCode);
  const linkOf = (code: string) => `${window.location.origin}/register?aff=${encodeURIComponent(code)}`;
  return (
    <SettingRow
      name={t("personal.invite")}
      text={t("personal.inviteText")}
      action={
        <Button
          isBusy={invite.isPending}
          onClick={() =>
            invite.mutate(
              {},
              {
                onSuccess: (code = "") =>
                  void copyAndSay(linkOf(code), t("personal.inviteCopied"), t("copy.failed")),
              },
            )
          }
        >
          {t("personal.inviteCopy")}
        </Button>
      }
    >
      {invite.data && <ShownText label={t("personal.invite")} text={linkOf(invite.data)} />}
    </SettingRow>
  );
};

/** In display order: methods bound on this page, then methods that redirect. */
const METHODS = [
  ...SIGN_IN_METHODS.filter(({ entry }) => entry.kind === "typed-code"),
  ...SIGN_IN_METHODS.filter(({ entry }) => entry.kind === "redirect"),
];

const Bindings = () => {
  const { t } = useTranslation();
  const status = useStatus();
  const { data: self } = useQuery(selfQuery);
  const [open, setOpen] = useState<SignInMethod | "email">();
  const close = () => setOpen(undefined);
  const isOffered = (method: SignInMethod): boolean => status?.[method.switch.status] ?? false;
  const isBound = (method: SignInMethod): boolean => (self?.identities[method.name] ?? "") !== "";
  const shown = METHODS.filter((method) => isOffered(method) || isBound(method));
  const others = METHODS.filter((method) => !shown.includes(method)).map((method) =>
    t("personal.method", { context: method.name, method: method.title }),
  );
  return (
    <SettingCard id="section-binding" title={t("personal.binding")}>
      <SettingRows>
        {shown.map((method) => {
          const named = { context: method.name, method: method.title };
          const begin = () =>
            method.entry.kind === "redirect" ? status && void openConsent(method, status) : setOpen(method);
          return (
            <Binding
              key={method.name}
              name={t("personal.method", named)}
              bound={self && (self.identities[method.name] ?? "")}
            >
              <div className="flex flex-wrap gap-2">
                {isOffered(method) && (
                  <Button
                    aria-haspopup={method.entry.kind === "typed-code" ? "dialog" : undefined}
                    onClick={begin}
                  >
                    {t("personal.bindMethod", named)}
                  </Button>
                )}
                <UnbindMethod method={method.name} />
              </div>
            </Binding>
          );
        })}
        <ProviderBindings />
        <Binding name={t("personal.email")} bound={self?.email}>
          <Button aria-haspopup="dialog" onClick={() => setOpen("email")}>
            {t("personal.bindEmail")}
          </Button>
        </Binding>
      </SettingRows>
      {status && others.length > 0 && (
        <p className="text-sm text-ink-3">{t("personal.notOffered", { methods: others })}</p>
      )}
      {status && typeof open === "object" && open.entry.kind === "typed-code" && (
        <LazyBoundary
          load={loadTypedCodeBinding}
          with={{ method: open, picture: status[open.entry.picture], onClose: close }}
          onMissing={close}
        />
      )}
      {open === "email" && (
        <LazyBoundary load={loadEmailBinding} with={{ onClose: close }} onMissing={close} />
      )}
    </SettingCard>
  );
};

interface BindingProps {
  name: string;
  /** The bound account; "" for none, undefined while unknown. */
  bound: string | undefined;
  children: ReactNode;
}

const Binding = ({ name, bound, children }: BindingProps) => {
  const { t } = useTranslation();
  const state = bound || t("personal.unbound");
  return <SettingRow name={name} text={bound === undefined ? "" : state} action={children} />;
};

const Updates = () => {
  const { t } = useTranslation();
  const latest = useGetLatestRelease();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <SettingRow
      name={t("personal.checkUpdates")}
      text={t("personal.checkUpdatesText", { version: SHOWN_VERSION })}
      action={
        <Button
          isBusy={latest.isPending}
          onClick={() =>
            latest.mutate(undefined, {
              onSuccess: ({ tag_name: tag }) => {
                if (isNewer(tag, CONTRACT_VERSION)) setOpen(true);
                else notify.success(t("personal.latest", { tag }));
              },
            })
          }
        >
          {t("personal.checkUpdates")}
        </Button>
      }
    >
      {isOpen && latest.data && (
        <LazyBoundary
          load={loadReleaseWindow}
          with={{ release: latest.data, onClose: close }}
          onMissing={close}
        />
      )}
    </SettingRow>
  );
};

const Deletion = () => {
  const { t } = useTranslation();
  const { user } = useSession();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <SettingRow
      name={t("personal.delete")}
      text={t("personal.deleteText")}
      action={
        <Button variant="danger" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {t("personal.delete")}
        </Button>
      }
    >
      {isOpen && user && (
        <LazyBoundary
          load={loadSelfDeletion}
          with={{ username: user.username, onClose: close }}
          onMissing={close}
        />
      )}
    </SettingRow>
  );
};

export default PersonalSettings;
