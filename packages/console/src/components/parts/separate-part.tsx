import { Text } from '@mantine/core';
import { Component, Suspense, type ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';

interface SeparatePartProps {
  readonly children: ReactNode;
  /** Shown while the code of the part is loaded; default: nothing. */
  readonly loading?: ReactNode;
  /** Shown if the part fails; default: a sentence that says so. */
  readonly failure?: ReactNode;
}

/**
 * A part with code of its own, such as a dialog. If its code cannot be loaded, only this part is
 * missing. Without this, React replaces the whole page, with everything that a person has entered.
 */
export class SeparatePart extends Component<SeparatePartProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    const { children, loading, failure = <MissingPart /> } = this.props;
    if (this.state.hasFailed) return failure;
    return <Suspense fallback={loading}>{children}</Suspense>;
  }
}

function MissingPart(): ReactNode {
  const t = useTexts('common');
  return (
    <Text size="sm" c="red" role="alert">
      {t('errors.missingPart')}
    </Text>
  );
}
