import { Gate } from '../shared/gate.tsx';
import { startApp } from '../shared/start.tsx';
import { Frame, PageTitle } from '../shared/ui/frame.tsx';

await startApp({
  app: 'office',
  children: (
    <Gate title="office" lead="" admits={({ role }) => role === 'admin'}>
      {({ email }) => (
        <Frame title="office" pages={[]}>
          <PageTitle>office</PageTitle>
          <p>{email}</p>
        </Frame>
      )}
    </Gate>
  ),
});
