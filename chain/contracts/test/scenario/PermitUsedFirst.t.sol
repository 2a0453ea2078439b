// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ITokenCustody} from "../../src/interfaces/ITokenCustody.sol";
import {Signature, signPermit} from "../utils/Permits.sol";
import {Story} from "../utils/Story.sol";
import {vm} from "../utils/Vm.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";

/// @dev Attack: another account copies a permit from the mempool and uses it first. The victim then
/// has an open allowance, and the victim's own use of the permit fails. The attacker wants to spend
/// the allowance or to block the victim's call.
///
/// Defence: only `msg.sender` is ever charged, so no other account can spend the allowance. A
/// failed permit is ignored, so the victim's call uses the allowance and succeeds.
contract PermitUsedFirstTest is Story {
    uint256 private constant DEADLINE = START + 1 hours;

    function test_AgentCanStillPost() external {
        uint256 bystander = _active();
        _withdrawAllowances(agent);
        Signature memory permit = _permit(AGENT_KEY, address(escrow), AMOUNT);

        _useFirst(agent, address(escrow), AMOUNT, permit);
        _triesEverything(bystander, permit);
        _assertBooks(0, 1, 0, 0);
        vm.assertEq(token.allowance(agent, address(escrow)), AMOUNT, "allowance");

        _escrowAs(agent)
            .postTaskWithPermit(AMOUNT, FEE, TERMS, DEADLINE, permit.v, permit.r, permit.s);
        _assertBooks(1, 1, 0, 0);
        vm.assertEq(token.allowance(agent, address(escrow)), 0, "allowance");
    }

    function test_AgentCanStillPostWithoutTerms() external {
        _withdrawAllowances(agent);
        Signature memory permit = _permit(AGENT_KEY, address(escrow), AMOUNT);
        _useFirst(agent, address(escrow), AMOUNT, permit);
        _escrowAs(agent).postTaskWithPermit(AMOUNT, FEE, DEADLINE, permit.v, permit.r, permit.s);
        _assertBooks(1, 0, 0, 0);
    }

    function test_HumanCanStillApply() external {
        uint256 taskId = _post();
        _withdrawAllowances(human);
        Signature memory permit = _permit(HUMAN_KEY, address(staking), STAKE);

        _useFirst(human, address(staking), STAKE, permit);
        _triesEverything(taskId, permit);
        _assertBooks(1, 0, 0, 0);
        vm.assertEq(token.allowance(human, address(staking)), STAKE, "allowance");

        uint256 applicationId = _stakingAs(human)
            .lockApplicationStakeWithPermit(taskId, STAKE, DEADLINE, permit.v, permit.r, permit.s);
        vm.assertEq(staking.getStakeHuman(applicationId), human);
        _accept(taskId, applicationId);
        _assertBound();
        vm.assertEq(token.allowance(human, address(staking)), 0, "allowance");
    }

    /// @dev An attacker can only spend its own money.
    function test_AttackerPaysForOwnTask() external {
        _withdrawAllowances(agent);
        Signature memory permit = _permit(AGENT_KEY, address(escrow), AMOUNT);
        _useFirst(agent, address(escrow), AMOUNT, permit);

        uint256 taskId = _escrowAs(rival)
            .postTaskWithPermit(AMOUNT, FEE, DEADLINE, permit.v, permit.r, permit.s);
        vm.assertEq(escrow.getTask(taskId).agent, rival);
        _assertHolds(rival, FUNDS - AMOUNT, "rival");
        _assertHolds(agent, FUNDS, "agent");

        _escrowAs(rival).cancelTask(taskId);
        _assertUntouched();
        vm.assertEq(token.allowance(agent, address(escrow)), AMOUNT, "allowance");
    }

    function _useFirst(address victim, address spender, uint256 amount, Signature memory permit)
        private
    {
        vm.prank(stranger);
        IERC20Permit(address(token))
            .permit(victim, spender, amount, DEADLINE, permit.v, permit.r, permit.s);
    }

    /// @dev The attacker calls every function that moves money, and the token directly.
    function _triesEverything(uint256 taskId, Signature memory permit) private {
        bytes[] memory calls = _escrowCalls(taskId, DEADLINE, permit);
        for (uint256 i = 0; i < calls.length; ++i) {
            _assertFails(address(escrow), calls[i]);
        }
        calls = _stakingCalls(taskId, DEADLINE, permit);
        for (uint256 i = 0; i < calls.length; ++i) {
            _assertFails(address(staking), calls[i]);
        }
        address[2] memory victims = [agent, human];
        for (uint256 i = 0; i < victims.length; ++i) {
            _assertFails(
                address(token), abi.encodeCall(token.transferFrom, (victims[i], stranger, 1))
            );
            bytes memory credit = abi.encodeCall(ITokenCustody.withdrawCredit, (victims[i]));
            _assertFails(address(escrow), credit);
            _assertFails(address(staking), credit);
        }
    }

    function _assertFails(address target, bytes memory call) private {
        vm.prank(stranger);
        (bool done,) = target.call(call);
        vm.assertTrue(!done, "the stranger's call succeeded");
    }

    function _withdrawAllowances(address account) private {
        vm.prank(account);
        token.approve(address(escrow), 0);
        vm.prank(account);
        token.approve(address(staking), 0);
    }

    function _permit(uint256 key, address spender, uint256 amount)
        private
        view
        returns (Signature memory)
    {
        return signPermit(IERC20Permit(address(token)), key, spender, amount, DEADLINE);
    }
}
