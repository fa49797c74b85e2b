/** The parts of a parsed address, as `URL` names them. */
interface AddressParts {
  readonly protocol: string;
  readonly hostname: string;
  readonly username: string;
  readonly password: string;
}

/** SOCKS5 has one byte for the length of a name or a password (https://www.rfc-editor.org/rfc/rfc1929). */
const MAX_SECRET_BYTES = 255;

/** Whether a name or password, percent-encoded as `URL` has it, can be sent. */
const isSecretInBounds = (text: string): boolean => {
  const bytes = text.replace(/%[0-9a-f]{2}/gi, "x");
  return bytes.length <= MAX_SECRET_BYTES && !bytes.includes("%");
};

/** Whether an address is one of a SOCKS5 proxy. With socks5h the proxy resolves names, else the gateway does. */
export const isSocksAddress = (address: string): boolean => /^socks5h?:/i.test(address);

/** Whether requests can go through a proxy at this address: http, https, socks5 or socks5h. */
export const isProxyAddress = ({ protocol, hostname, username, password }: AddressParts): boolean => {
  if (protocol === "http:" || protocol === "https:") return true;
  // `URL` leaves hosts behind other schemes as they are typed.
  const isNamed = /^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(hostname);
  const isSignedIn = username !== "" || password === "";
  return (
    isSocksAddress(protocol) &&
    isNamed &&
    isSignedIn &&
    isSecretInBounds(username) &&
    isSecretInBounds(password)
  );
};
