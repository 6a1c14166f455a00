import { Gate } from '../shared/gate.tsx';
import { startApp } from '../shared/start.tsx';
import { Frame, PageTitle } from '../shared/ui/frame.tsx';

await startApp({
  app: 'wallet',
  children: (
    <Gate
      title="My points"
      lead="Your points in all shops."
      admits={({ role }) => role !== 'admin'}
    >
      {({ email }) => (
        <Frame title="My points" pages={[]}>
          <PageTitle>My points</PageTitle>
          <p>{email}</p>
        </Frame>
      )}
    </Gate>
  ),
});
