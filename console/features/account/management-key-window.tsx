import { createManagementKey } from "@tollgate/contract/api/management-keys";
import { MAX_MANAGEMENT_KEY_NAME } from "@tollgate/contract/management/management-key";
import { PERMISSION_AREAS, type Permission } from "@tollgate/contract/management/permission-areas";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { DateTimeField } from "../../components/date-time-field";
import { Dialog } from "../../components/dialog";
import { PermissionTable } from "../../components/permission-table";
import { Segmented } from "../../components/segmented";
import { TextField } from "../../components/text-field";
import { copyOrShow } from "../../lib/copy";
import { parseDate } from "../../lib/format";
import { useSession } from "../../lib/session";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";

const OWN = ["none", "read", "change"] as const;

interface WindowProps {
  onClose: () => void;
}

const Form = ({ onClose }: WindowProps) => {
  const { t } = useTranslation();
  const { may } = useSession();
  const [name, setName] = useState("");
  const [own, setOwn] = useState<(typeof OWN)[number]>("read");
  const [rights, setRights] = useState<readonly Permission[]>([]);
  const [networks, setNetworks] = useState("");
  const [expires, setExpires] = useState("");
  const refused = useMistakes();
  const create = useEndpoint(createManagementKey, refused);
  const areas = PERMISSION_AREAS.filter((area) => may(area));
  const ends = parseDate(expires);
  const isWrongDate = expires.trim() !== "" && ends === undefined;
  if (create.data) return <Made secret={create.data.key} onClose={onClose} />;
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        refused.begin(event.currentTarget);
        if (isWrongDate) return;
        create.mutate({
          body: {
            name: name.trim(),
            permissions: [...(own === "none" ? [] : [`own:${own}` as const]), ...rights],
            networks: networks.trim(),
            expires_time: ends ? toUnixSeconds(ends.getTime()) : 0,
          },
        });
      }}
    >
      <TextField
        label={t("managementKey.name")}
        isRequired
        autoComplete="off"
        maxLength={MAX_MANAGEMENT_KEY_NAME}
        error={refused.of("name")}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <div className="flex flex-col gap-2">
        <span className="font-medium text-sm">{t("managementKey.own")}</span>
        <Segmented
          label={t("managementKey.own")}
          value={own}
          segments={OWN.map((right) => ({ value: right, label: t(`permission.rights.${right}`) }))}
          onChange={setOwn}
          className="self-start"
        />
        <span className="text-sm text-ink-2">{t("managementKey.ownHint")}</span>
      </div>
      {areas.length > 0 && (
        <PermissionTable
          label={t("managementKey.rights")}
          areas={areas}
          value={rights}
          onChange={setRights}
        />
      )}
      <DateTimeField
        label={t("managementKey.expiresLabel")}
        hint={t("managementKey.expiresHint")}
        value={expires}
        onChange={setExpires}
        {...(isWrongDate ? { error: t("managementKey.expiresInvalid") } : {})}
      />
      <TextField
        label={t("managementKey.networks")}
        hint={t("managementKey.networksHint")}
        autoComplete="off"
        spellCheck={false}
        error={refused.of("networks")}
        value={networks}
        onChange={({ target }) => setNetworks(target.value)}
      />
      <Button
        type="submit"
        variant="primary"
        className="self-end"
        isBusy={create.isPending}
        disabled={name.trim() === "" || (own === "none" && rights.length === 0)}
      >
        {t("managementKey.add")}
      </Button>
    </form>
  );
};

/** The secret, which is shown this once. */
const Made = ({ secret, onClose }: WindowProps & { secret: string }) => {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-ink-2">{t("managementKey.madeText")}</p>
      <input
        readOnly
        aria-label={t("managementKey.title")}
        value={secret}
        onFocus={(event) => event.currentTarget.select()}
        className="control bg-sunken font-mono text-sm"
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={() => void copyOrShow(secret, () => undefined)}>{t("action.copy")}</Button>
        <Button variant="primary" onClick={onClose}>
          {t("managementKey.kept")}
        </Button>
      </div>
    </div>
  );
};

/** The window in which a user makes a management key. */
const ManagementKeyWindow = ({ onClose }: WindowProps) => {
  const { t } = useTranslation();
  return (
    <Dialog isOpen onClose={onClose} title={t("managementKey.add")}>
      <Form onClose={onClose} />
    </Dialog>
  );
};

export default ManagementKeyWindow;
