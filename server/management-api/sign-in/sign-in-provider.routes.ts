import {
  changeSignInProvider,
  createSignInProvider,
  deleteSignInProvider,
  listSignInProviders,
  MAX_PROVIDERS,
} from "@tollgate/contract/api/sign-in-providers";
import { providerKeyOf, type SignInProviderRecord } from "@tollgate/contract/records/sign-in-provider-record";
import { audit } from "../audit";
import { existing, Failure } from "../failure";
import { implement, type Route, type RouteContext } from "../route";
import type { Services } from "../services";
import { withConflicts } from "./account-rules";
import { checkPresence, hasSession } from "./fresh-sign-in";
import { answersAsIssuer } from "./open-id";
import { type ProviderSettings, readProvider } from "./provider-fields";

/** The person who sets an issuer can sign in as any user who has bound an account of it. @throws Failure */
const checkSession = ({
  services,
  caller,
  request,
}: Pick<RouteContext<"root", unknown>, "services" | "caller" | "request">): void => {
  if (!hasSession(services, caller, request)) throw new Failure("provider-needs-session");
  checkPresence(services, caller, request);
};

const toShown = (
  { clientSecret, ...provider }: SignInProviderRecord,
  bound: ReadonlyMap<string, number>,
) => ({
  ...provider,
  hasSecret: clientSecret !== "",
  bound: bound.get(providerKeyOf(provider)) ?? 0,
});

const findProvider = async ({ storage }: Services, id: number): Promise<SignInProviderRecord> =>
  existing((await storage.read.signInProviders.all()).find((each) => each.id === id));

/** The changed fields, for the audit; it hides the values of secrets. */
const changesOf = (before: ProviderSettings, after: ProviderSettings): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(after).filter(([field, value]) => before[field as keyof ProviderSettings] !== value),
  );

/** OpenID Connect providers, which root adds (docs/guides/sign-in-providers.md). */
export const signInProviderRoutes: Route[] = [
  implement(listSignInProviders, async ({ services: { storage } }) => {
    const [all, bound] = [
      await storage.read.signInProviders.all(),
      await storage.read.signInProviders.bound(),
    ];
    return all.map((each) => toShown(each, bound));
  }),

  implement(createSignInProvider, async (context) => {
    const { services, body } = context;
    checkSession(context);
    const settings = readProvider(body, undefined);
    if (!(await answersAsIssuer(settings))) throw new Failure("provider-issuer-unanswered");
    const created = await withConflicts(
      services.storage.write.signInProviders.create(
        { ...settings, createdTime: services.now() },
        MAX_PROVIDERS,
      ),
    );
    if (!created) throw new Failure("providers-full", { limit: MAX_PROVIDERS });
    await services.offeredProviders.refresh();
    await audit(services, context, "sign-in-provider.create", created.slug, settings);
    return toShown(created, new Map());
  }),

  implement(changeSignInProvider, async (context) => {
    const { services, body, params } = context;
    checkSession(context);
    const before = await findProvider(services, params.id);
    const { slug, issuer, ...change } = readProvider(body, before);
    const changed = existing(await services.storage.write.signInProviders.change(before.id, change));
    await services.offeredProviders.refresh();
    await audit(
      services,
      context,
      "sign-in-provider.update",
      slug,
      changesOf(before, { slug, issuer, ...change }),
    );
    return toShown(changed, await services.storage.read.signInProviders.bound());
  }),

  implement(deleteSignInProvider, async (context) => {
    const { services, params } = context;
    checkSession(context);
    const { id, slug, name, issuer } = await findProvider(services, params.id);
    const bound = existing(await services.storage.write.signInProviders.remove(id));
    await services.offeredProviders.refresh();
    await audit(services, context, "sign-in-provider.delete", slug, { name, issuer, bound });
    return { bound };
  }),
];
