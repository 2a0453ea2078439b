// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ApplicationStaking} from "../../src/ApplicationStaking.sol";
import {IApplicationStaking} from "../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {ITokenCustody} from "../../src/interfaces/ITokenCustody.sol";
import {BlockingToken} from "../utils/BlockingToken.sol";
import {Books} from "../utils/Books.sol";
import {cheats} from "../utils/Cheats.sol";
import {vm} from "../utils/Vm.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @dev Submits applications for a task from many accounts.
contract Crowd {
    function applyFor(ApplicationStaking staking, uint256 taskId, uint160 from, uint160 to)
        external
    {
        IERC20 token = staking.token();
        uint256 stake = staking.requiredStake(taskId);
        for (uint160 i = from; i < to; ++i) {
            address account = address(uint160(0x1000000 + i));
            vm.assertTrue(token.transfer(account, stake));
            vm.prank(account);
            token.approve(address(staking), stake);
            vm.prank(account);
            staking.lockApplicationStake(taskId, stake);
        }
    }
}

/// @dev Attack: an account creates many applications for a task, or many tasks, so that other
/// accounts' exits need more gas than a block allows. Defence: no function loops over applications,
/// tasks or panels, so every exit costs exactly the same gas after 10,000 applications. The only
/// list is the array of verdict signatures passed by the caller, at most 32.
///
/// forge-config: default.isolate = true
contract CrowdOfApplicationsTest is Books {
    enum Exit {
        CancelPosted,
        CancelActive,
        Resign,
        Approve,
        Reject,
        Settle,
        Emergency,
        WithdrawStake,
        WithdrawExpired,
        RejectApplication,
        WithdrawCredit
    }

    uint256 private constant EXITS = 11;
    uint160 private constant CROWD = 10_000;
    uint256 private constant OTHER_TASKS = 500;
    uint256 private constant MOST_GAS_OF_32 = 400_000;
    uint256 private constant MOST_GAS_OF_ONE_MORE = 8500;

    BlockingToken private blocking;
    Crowd private crowd;

    function _newToken() internal override returns (IERC20) {
        blocking = new BlockingToken();
        return blocking;
    }

    /// @dev Ends two tasks and leaves a third one open, so that no balance measured below changes
    /// from or to zero.
    function setUp() public override {
        super.setUp();
        crowd = new Crowd();
        _released();
        _refunded();
        _applyFor(_post(), rival);
    }

    /// @dev Creates many applications for the task, before and after the measured one.
    function test_OneTaskFlooded() external {
        uint256 snapshot = cheats.snapshotState();
        uint256 taskId = _post();
        uint256[EXITS] memory fresh = _exits(taskId, _applyFor(taskId, human));
        cheats.revertToState(snapshot);

        cheats.pauseGasMetering();
        taskId = _post();
        _flood(taskId, 0, CROWD / 2);
        uint256 applicationId = _applyFor(taskId, human);
        _flood(taskId, CROWD / 2, CROWD);
        cheats.resumeGasMetering();
        vm.assertTrue(staking.getStakeHuman(CROWD) != address(0), "the crowd has not applied");
        _assertSame(_exits(taskId, applicationId), fresh);
    }

    /// @dev Creates hundreds of tasks by one agent, with an application by the same human for each.
    function test_ManyTasks() external {
        uint256 snapshot = cheats.snapshotState();
        uint256 taskId = _post();
        uint256[EXITS] memory fresh = _exits(taskId, _applyFor(taskId, human));
        cheats.revertToState(snapshot);

        cheats.pauseGasMetering();
        for (uint256 i = 0; i < OTHER_TASKS; ++i) {
            _applyFor(_post(), human);
        }
        cheats.resumeGasMetering();
        taskId = _post();
        _assertSame(_exits(taskId, _applyFor(taskId, human)), fresh);
    }

    /// @dev Tests the most expensive verdict: one with 32 signatures.
    function test_VerdictOf32() external {
        for (uint256 key = 0xE4; keys.length < escrow.MAX_VALIDATORS(); ++key) {
            _insertSorted(key);
        }
        address[] memory added = new address[](29);
        for (uint256 key = 0xE4; key < 0xE4 + added.length; ++key) {
            added[key - 0xE4] = vm.addr(key);
        }
        _escrowAs(owner).changePanel(added, new address[](0), 17);

        uint256 taskId = _disputed(agent);
        uint256 snapshot = cheats.snapshotState();
        uint256 byQuorum = _rejectGas(taskId, 17);
        cheats.revertToState(snapshot);
        uint256 byAll = _rejectGas(taskId, 32);
        vm.assertLe(byAll, MOST_GAS_OF_32, "a verdict with 32 signatures");
        vm.assertLe(byAll - byQuorum, 15 * MOST_GAS_OF_ONE_MORE, "per signature");
    }

    /// @dev Measures the gas of each exit for the same task, one at a time.
    function _exits(uint256 taskId, uint256 applicationId)
        private
        returns (uint256[EXITS] memory gas)
    {
        for (uint256 i = 0; i < EXITS; ++i) {
            uint256 snapshot = cheats.snapshotState();
            gas[i] = _exit(Exit(i), taskId, applicationId);
            cheats.revertToState(snapshot);
        }
    }

    function _exit(Exit exit, uint256 taskId, uint256 applicationId) private returns (uint256) {
        bytes memory cancel = abi.encodeCall(IEscrow.cancelTask, (taskId));
        if (exit == Exit.CancelPosted) return _gas(agent, address(escrow), cancel);
        bytes memory withdraw = abi.encodeCall(IApplicationStaking.withdrawStake, (applicationId));
        if (exit == Exit.WithdrawStake) return _gas(human, address(staking), withdraw);
        if (exit == Exit.RejectApplication) {
            bytes memory reject =
                abi.encodeCall(IApplicationStaking.rejectApplication, (applicationId));
            return _gas(agent, address(staking), reject);
        }
        if (exit == Exit.WithdrawExpired) {
            vm.warp(START + 8 days);
            return _gas(stranger, address(staking), withdraw);
        }
        _accept(taskId, applicationId);
        if (exit == Exit.CancelActive) return _gas(agent, address(escrow), cancel);
        if (exit == Exit.Resign) return _gas(human, address(escrow), cancel);
        _escrowAs(human).submitTask(taskId, WORK);
        return _exitDelivered(exit, taskId);
    }

    function _exitDelivered(Exit exit, uint256 taskId) private returns (uint256) {
        if (exit == Exit.Settle || exit == Exit.Emergency) {
            vm.warp(START + 40 days);
            if (exit == Exit.Settle) {
                return _gas(stranger, address(escrow), abi.encodeCall(IEscrow.settle, (taskId)));
            }
            bytes memory emergency = abi.encodeCall(IEscrow.emergencyRelease, (taskId));
            return _gas(human, address(escrow), emergency);
        }
        vm.warp(START + 2 days);
        if (exit == Exit.Reject) return _rejectGas(taskId, QUORUM);
        bytes[] memory signatures = _verdict(taskId, true);
        if (exit == Exit.Approve) {
            bytes memory approve = abi.encodeCall(IEscrow.approveSubmission, (taskId, signatures));
            return _gas(stranger, address(escrow), approve);
        }
        blocking.set(human, true);
        escrow.approveSubmission(taskId, signatures);
        blocking.set(human, false);
        bytes memory collect = abi.encodeCall(ITokenCustody.withdrawCredit, (human));
        return _gas(stranger, address(escrow), collect);
    }

    function _rejectGas(uint256 taskId, uint256 count) private returns (uint256) {
        bytes[] memory signatures = _signed(escrow.verdictDigest(taskId, false), count);
        bytes memory reject = abi.encodeCall(IEscrow.rejectSubmission, (taskId, signatures));
        return _gas(stranger, address(escrow), reject);
    }

    /// @dev Returns the gas of a separate transaction, excluding the calldata cost, which depends
    /// on the number of zero bytes in an id or signature.
    function _gas(address caller, address target, bytes memory call)
        private
        returns (uint256 used)
    {
        vm.prank(caller);
        (bool success,) = target.call(call);
        used = vm.lastCallGas().gasTotalUsed;
        vm.assertTrue(success, "the exit reverted");
        for (uint256 i = 0; i < call.length; ++i) {
            used -= call[i] == 0 ? 4 : 16;
        }
    }

    function _assertSame(uint256[EXITS] memory have, uint256[EXITS] memory fresh) private pure {
        for (uint256 i = 0; i < EXITS; ++i) {
            vm.assertTrue(fresh[i] > 21_000, "less gas than a transaction");
            vm.assertEq(have[i], fresh[i], string.concat("exit ", vm.toString(i)));
        }
    }

    /// @dev Submits the applications in several transactions, many in each. Only their number
    /// matters.
    function _flood(uint256 taskId, uint160 from, uint160 to) private {
        _give(address(crowd), (to - from) * STAKE);
        for (uint160 i = from; i < to; i += 500) {
            crowd.applyFor(staking, taskId, i, i + 500);
        }
    }
}
