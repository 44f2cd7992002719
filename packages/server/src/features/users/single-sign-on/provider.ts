import { plainName } from '@roster/contract';
import type { Configuration, IDToken } from 'openid-client';
import type { Config } from '#platform/config/config.ts';
import { hour } from '#platform/time/intervals.ts';

declare module '#platform/context.ts' {
  interface Context {
    /** The identity provider; undefined without `ROSTER_OIDC_ISSUER`. */
    readonly identityProvider: IdentityProvider | undefined;
  }
}

/** Loads the library when somebody signs in with the provider: most installations have none. */
const loadLibrary = () => import('openid-client');

/** What must be remembered from the begin of a sign-in to its end. */
export interface Handshake {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** What the provider says about a person. */
export interface Claims {
  readonly issuer: string;
  readonly subject: string;
  /** The address; undefined unless the provider has verified it. */
  readonly email: string | undefined;
  readonly name: string | undefined;
  readonly groups: readonly string[];
}

/** An OpenID Connect provider. Its functions throw when it is away or its answers are not valid. */
export interface IdentityProvider {
  readonly name: string;
  /** Begins a sign-in. Returns the address at the provider, and what to remember. */
  begin(): Promise<{ readonly address: URL; readonly handshake: Handshake }>;
  /** Ends a sign-in with the query that the provider has added to the redirect address. */
  end(query: string, handshake: Handshake): Promise<Claims>;
}

// Seconds. A person waits for the answer.
const timeout = 10;

// The provider can change its keys and addresses.
const discoveryLifetime = hour;

/**
 * Makes the provider of the configuration; undefined without one.
 *
 * The library checks issuer, audience, nonce, expiry and algorithm of the ID token. It also checks
 * the signature, because the claims give rights.
 */
export function createIdentityProvider(config: Config): IdentityProvider | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: secret, publicUrl } = config;
  if (issuer === undefined || clientId === undefined || secret === undefined || publicUrl === undefined) {
    return undefined;
  }
  const redirectUri = `${publicUrl}/admin/v1/single-sign-on/callback`;
  let found: { readonly at: number; readonly client: Promise<Configuration> } | undefined;

  async function discover(): Promise<Configuration> {
    const oidc = await loadLibrary();
    const url = new URL(issuer!);
    const execute = [
      oidc.enableNonRepudiationChecks,
      // For a provider on the same machine or in a private network.
      ...(url.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
    ];
    return oidc.discovery(url, clientId!, secret, undefined, { execute, timeout });
  }

  function client(): Promise<Configuration> {
    const now = performance.now();
    if (found === undefined || now - found.at > discoveryLifetime) {
      const next = { at: now, client: discover() };
      // The next sign-in tries again.
      next.client.catch(() => {
        if (found === next) found = undefined;
      });
      found = next;
    }
    return found.client;
  }

  return {
    name: config.oidcName,
    async begin() {
      const oidc = await loadLibrary();
      const verifier = oidc.randomPKCECodeVerifier();
      const handshake = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier };
      const address = oidc.buildAuthorizationUrl(await client(), {
        redirect_uri: redirectUri,
        scope: config.oidcScopes,
        state: handshake.state,
        nonce: handshake.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { address, handshake };
    },
    async end(query, { state, nonce, verifier }) {
      const oidc = await loadLibrary();
      const configuration = await client();
      const tokens = await oidc.authorizationCodeGrant(configuration, new URL(`${redirectUri}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const idToken = tokens.claims()!;
      // Many providers put the address and the groups only there.
      const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const userInfo = hasUserInfo ? await oidc.fetchUserInfo(configuration, tokens.access_token, idToken.sub) : {};
      return claimsOf({ ...userInfo, ...idToken }, config.oidcGroupsClaim);
    },
  };
}

function claimsOf(claims: IDToken, groupsClaim: string): Claims {
  const { iss, sub, email, email_verified: isVerified, name } = claims;
  const groups = claims[groupsClaim];
  return {
    issuer: iss,
    subject: sub,
    email: typeof email === 'string' && isVerified === true ? email : undefined,
    name: (typeof name === 'string' && plainName(name).slice(0, 255)) || undefined,
    groups: [groups].flat().filter((group) => typeof group === 'string'),
  };
}
