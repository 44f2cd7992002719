import { Button } from '@mantine/core';
import type { InvitationOffer } from '@roster/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { client } from '#api/client.ts';
import { problemOf } from '#api/problem.ts';
import { sessionQuery } from '#api/session.ts';
import { ButtonLink } from '#components/actions/links.tsx';
import { LoadingState } from '#components/states/loading-state.tsx';
import { AccessLayout } from '#shell/frame/access-layout.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { NameField, PasswordField } from './access-fields.tsx';
import { AccessForm, FormError, textOf } from './access-form.tsx';
import { useLinkToken } from './link-token.ts';

/** The page of the link in an invitation. */
export function InvitationPage(): ReactNode {
  const t = useTexts('access');
  const token = useLinkToken();
  const session = useQuery(sessionQuery);
  const offer = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => client.signIn.lookUpInvitation(token, { signal }),
    enabled: token !== '',
  });
  if (token === '') return <AccessLayout title={t('noToken.title')} text={t('noToken.text')} />;
  const isInvalid = offer.error !== null && problemOf(offer.error).kind === 'notFound';
  if (isInvalid) return <AccessLayout title={t('invitation.invalid.title')} text={t('invitation.invalid.text')} />;
  if (offer.error !== null) {
    return (
      <AccessLayout title={t('invitation.plainTitle')}>
        <FormError error={offer.error} messages={{}} />
      </AccessLayout>
    );
  }
  if (offer.data === undefined || session.data === undefined) {
    return (
      <AccessLayout title={t('invitation.plainTitle')}>
        <LoadingState rows={3} />
      </AccessLayout>
    );
  }
  return <Offer token={token} offer={offer.data} signedInAs={session.data.person?.email} />;
}

function Offer({
  token,
  offer,
  signedInAs,
}: {
  readonly token: string;
  readonly offer: InvitationOffer;
  readonly signedInAs: string | undefined;
}): ReactNode {
  const t = useTexts('access');
  const navigate = useNavigate();
  const cache = useQueryClient();
  const { account_id, account_name, email, role, has_user } = offer;

  async function accept(values: FormData): Promise<void> {
    const own = has_user ? {} : { name: textOf(values, 'name'), password: textOf(values, 'password') };
    const session = await client.signIn.acceptInvitation({ token, ...own });
    cache.setQueryData(sessionQuery.queryKey, session);
    await navigate({ to: '/accounts/$accountId', params: { accountId: account_id }, replace: true });
  }

  const title = t('invitation.title', { account: account_name });
  if (signedInAs !== undefined && signedInAs.toLowerCase() !== email.toLowerCase()) {
    return (
      <AccessLayout title={title} text={t('invitation.otherPerson', { email, own: signedInAs })}>
        <SignOut />
      </AccessLayout>
    );
  }
  const mustSignIn = has_user && signedInAs === undefined;
  return (
    <AccessLayout title={title} text={t('invitation.text', { email, role: t(`roles.${role}`) })}>
      {mustSignIn ? (
        <>
          {t('invitation.needsSignIn')}
          <ButtonLink to="/sign-in" search={{ return_to: '/invitation' }} size="sm">
            {t('signIn.submit')}
          </ButtonLink>
        </>
      ) : (
        <AccessForm
          submit={t('invitation.submit')}
          onSubmit={accept}
          messages={{ notFound: t('invitation.invalid.text') }}
        >
          {!has_user && (
            <>
              <NameField />
              <PasswordField isNew />
            </>
          )}
        </AccessForm>
      )}
    </AccessLayout>
  );
}

/** Ends the session of the other person. The page stays, because its link is not in the address. */
function SignOut(): ReactNode {
  const t = useTexts('access');
  const cache = useQueryClient();
  const out = useMutation({
    mutationFn: async () => {
      await client.signIn.out();
      // No data of the other person stays in memory.
      cache.removeQueries({ type: 'inactive' });
      cache.setQueryData(sessionQuery.queryKey, await client.signIn.session());
    },
  });
  return (
    <>
      {out.error !== null && <FormError error={out.error} messages={{}} />}
      <Button size="sm" loading={out.isPending} onClick={() => out.mutate()}>
        {t('invitation.signOut')}
      </Button>
    </>
  );
}
