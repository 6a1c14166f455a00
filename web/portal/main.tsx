import { Gate } from '../shared/gate.tsx';
import { startApp } from '../shared/start.tsx';
import { Frame, PageTitle } from '../shared/ui/frame.tsx';

await startApp({
  app: 'portal',
  children: (
    <Gate title="portal" lead="" admits={({ role }) => role === 'client'}>
      {({ email }) => (
        <Frame title="portal" pages={[]}>
          <PageTitle>portal</PageTitle>
          <p>{email}</p>
        </Frame>
      )}
    </Gate>
  ),
});
